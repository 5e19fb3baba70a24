import { INSTANCE_PROJECT } from "../../common/context.ts";
import { conflict } from "../../common/errors.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { fromText } from "../../store/change-log/entity-text.ts";
import { entityStore, type WriteOptions } from "../../store/entities/entity-store.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { deleteTokens, deleteTokensOfPromoted } from "../../tokens/token-store.ts";
import { EVERYWHERE } from "../common/parts-elsewhere.ts";
import type { EntityKind } from "../slice.ts";
import { requireUnmanaged } from "./managed-store.ts";
import { administers, type Person, toActor } from "./person.ts";

export const personKind: EntityKind<"person", Person> = {
  table: "person",
  type: "person",
  getID: (person) => person.id,
  getName: (person) => person.email,
  references: null,
  columns: {
    email: (person) => person.email,
    isAdministrator: (person) => person.isAdministrator,
    isActive: (person) => person.isActive,
  },
  listing: { getName: (person) => toActor(person).name, searchTexts: ({ email }) => [email] },
  named: null,
  ruleset: null,
  needs: null,
  reach: EVERYWHERE,
};

/** The people of the instance, in requests to any project. */
export function createPersonStore(deps: StoreDeps) {
  const { db } = deps;
  const store = entityStore({ ...deps, projectID: INSTANCE_PROJECT }, personKind);
  return {
    ...store,
    isLastAdministrator,

    /** @param email in lower case */
    async findByEmail(email: string): Promise<Person | undefined> {
      const rows = await db.$queryRaw<{ entity: string }[]>`
        select entity from person where "projectID" = ${INSTANCE_PROJECT} and email = ${email}`;
      return rows[0] && fromText<Person>(rows[0].entity);
    },

    /**
     * Ends the sessions and one-time links of a person who is deactivated. For a new administrator, ends links that other people than
     * administrators created.
     * @throws AppError conflict if `before` is outdated, it was the last administrator, or an identity provider manages it
     */
    async replace(before: Person, after: Person, options?: WriteOptions): Promise<Person> {
      await requireUnmanaged(deps, before, after);
      if (administers(before) && !administers(after) && (await isLastAdministrator(before))) {
        throw conflict(`${before.email} is the last active server administrator. Make somebody else one first.`, "isAdministrator");
      }
      if (before.isActive && !after.isActive) {
        db.$defer(Prisma.sql`delete from session where "personID" = ${before.id}`);
        deleteTokens(db, before.id);
      }
      if (!before.isAdministrator && after.isAdministrator) deleteTokensOfPromoted(db, Prisma.sql`${before.id}::text`);
      return store.replace(before, after, options);
    },
  };

  /** Locks the administrators, so that concurrent requests cannot remove the last two at once. */
  async function isLastAdministrator({ id }: Person): Promise<boolean> {
    const rows = await db.$queryRaw<{ id: string }[]>`
      select id from person where "projectID" = ${INSTANCE_PROJECT} and "isAdministrator" and "isActive" order by id for update`;
    return !rows.some((row) => row.id !== id);
  }
}
