import type { Permission } from "@gatehouse/contract";
import { type Actor, INSTANCE_PROJECT } from "../../common/context.ts";
import { normalizeEmail } from "../../common/email.ts";
import { invalid, notFound } from "../../common/errors.ts";
import { EVERY_RIGHT, requireToGive } from "../../common/permissions.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { fromText } from "../../store/change-log/entity-text.ts";
import { type DeleteOptions, entityStore } from "../../store/entities/entity-store.ts";
import type { Computed } from "../../store/entities/kind.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { deleteInvitations, deleteTokensOfPromoted } from "../../tokens/token-store.ts";
import type { Window } from "../common/page.ts";
import { EVERYWHERE } from "../common/parts-elsewhere.ts";
import { type IssuedSecret, issueToken } from "../people/acting-as-store.ts";
import { requireOwnRole } from "../people/managed-store.ts";
import { type Person, toActor } from "../people/person.ts";
import { createPersonStore } from "../people/person-store.ts";
import { BUILT_IN_ROLES, rightsOf } from "../roles/role.ts";
import { createRoleStore } from "../roles/role-store.ts";
import type { EntityKind } from "../slice.ts";
import { type Member, namedByMember, toShown } from "./member.ts";

const ofPerson: Computed<Member> = {
  column: (member) => Prisma.sql`(select entity from person where person."projectID" = ${INSTANCE_PROJECT} and person.id = ${member}.id)`,
  put: (member, person) => ({ ...member, ...toShown(fromText<Person>(person as string)) }),
};

export const memberKind: EntityKind<"member", Member> = {
  table: "member",
  type: "member",
  getID: (member) => member.id,
  getName: (member) => member.email,
  references: namedByMember,
  columns: { role: (member) => member.role },
  listing: null,
  named: null,
  ruleset: null,
  needs: null,
  reach: EVERYWHERE,
  computed: ofPerson,
};

/** Which members are listed: deactivated ones too, or only those with a permission. */
type Listed = { inactive: boolean; permission: Permission | undefined };

/** The people of a project. */
export function createMemberStore(deps: StoreDeps) {
  const { db, projectID, log } = deps;
  const store = entityStore(deps, memberKind);
  return {
    ...store,

    /** The last to join first. Deactivated members are included only on request. */
    listUsers(window: Window, { inactive, permission }: Listed): Promise<{ data: Member[]; total: number }> {
      const isActive = Prisma.sql`
        exists (select 1 from person where person."projectID" = ${INSTANCE_PROJECT} and person.id = member.id and person."isActive")`;
      // People are in the instance's change log, not in the project's.
      const conditions = [...(inactive ? [] : [isActive]), ...(permission ? [having(permission)] : [])];
      return conditions.length === 0 ? store.list(window) : store.listWhere(conditions, window, { areLogged: false });
    },

    /** The members with these ids who are not deactivated. */
    async findActive(ids: readonly string[]): Promise<Actor[]> {
      if (ids.length === 0) return [];
      const rows = await db.$queryRaw<{ entity: string }[]>`
        select person.entity from person join member on member."projectID" = ${projectID} and member.id = person.id
        where person."projectID" = ${INSTANCE_PROJECT} and person.id = any(${[...ids]}::text[]) and person."isActive"`;
      return rows.map(({ entity }) => toActor(fromText<Person>(entity)));
    },

    /** @throws AppError not_found */
    async getByEmail(email: string): Promise<Member> {
      const rows = await db.$queryRaw<{ id: string }[]>`
        select member.id from person join member on member."projectID" = ${projectID} and member.id = person.id
        where person."projectID" = ${INSTANCE_PROJECT} and person.email = ${normalizeEmail(email)}`;
      if (!rows[0]) throw notFound("Member", email);
      log.resolved(memberKind.type, email, rows[0].id);
      return store.get(rows[0].id);
    },

    /** @throws AppError invalid_request for a role that does not exist; forbidden if it permits more than the caller may do */
    async create(member: Member): Promise<Member> {
      await requireHeld(member.role, { isGiven: true });
      await requireOwnRole(deps, member, "role");
      deleteTokensOfPromoted(db, Prisma.sql`${member.id}::text`);
      return store.create(member);
    },

    /**
     * @throws AppError conflict if `before` is outdated; invalid_request for a role that does not exist; forbidden if the member has
     * permissions that the caller lacks, before or after
     */
    async replace(before: Member, after: Member): Promise<Member> {
      await requireRights(before);
      if (after.role !== before.role) {
        await requireOwnRole(deps, before, "role");
        await requireHeld(after.role, { isGiven: true });
        deleteTokensOfPromoted(db, Prisma.sql`${after.id}::text`);
      }
      return store.replace(before, after);
    },

    /** Revokes the person's invitations to the project as well. @throws AppError forbidden if the caller lacks their permissions */
    async delete(member: Member, options?: DeleteOptions): Promise<void> {
      await requireRights(member);
      await requireOwnRole(deps, member, "role");
      deleteInvitations(db, projectID, member.id);
      await store.delete(member, options);
    },

    /** Whether a person has set a password, or has signed in with a provider. */
    async canSignIn(id: string): Promise<boolean> {
      const rows = await db.$queryRaw<unknown[]>`
        select 1 from password where "personID" = ${id} union all select 1 from identity where "personID" = ${id}`;
      return rows.length > 0;
    },

    /** Creates an invitation for a member, replacing earlier ones to this project. Returns and throws the same as `issueToken`. */
    invite: (member: Member): Promise<IssuedSecret | null> => issueToken(deps, "invitation", member),
  };

  function having(permission: Permission): Prisma.Sql {
    const builtIn = BUILT_IN_ROLES.filter((role) => role.permissions[permission]).map(({ id }) => id);
    return Prisma.sql`(
      member.role = any(${builtIn}::text[])
      or exists (select 1 from role where role."projectID" = ${projectID} and role.id = member.role and role.permissions @> ${[permission]}::text[])
      or exists (select 1 from person where person."projectID" = ${INSTANCE_PROJECT} and person.id = member.id and person."isAdministrator"))`;
  }

  /** Callers can only take away permissions that they have. Server administrators have every permission. */
  async function requireRights({ id, role }: Member): Promise<void> {
    await requireHeld(role);
    const person = await createPersonStore(deps).get(id);
    if (person.isAdministrator) requireToGive(deps.by, EVERY_RIGHT);
  }

  /** Callers can only give permissions that they have. */
  async function requireHeld(name: string, { isGiven = false } = {}): Promise<void> {
    const role = await createRoleStore(deps).find(name);
    if (role) requireToGive(deps.by, rightsOf(role));
    else if (isGiven) throw invalid([{ property: "role", errorMessage: `references role ${name}, which does not exist` }]);
  }
}
