import { EXPOSURE_EVENTS } from "../../results/sql/logged.ts";
import { fromText } from "../../store/change-log/entity-text.ts";
import { eventReader } from "../../store/database/ask.ts";
import { entityStore } from "../../store/entities/entity-store.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { NOWHERE } from "../common/parts-elsewhere.ts";
import type { EntityKind } from "../slice.ts";
import { type Attribute, undescribed } from "./attribute.ts";
import { type SeenUser, toSeenUser, type UserRow } from "./seen-users.ts";

/** The newest exposures of each name that a list of attributes reads. */
const MAX_READ = 1_000;
/** The most characters of users that it reads. IDs may be long. */
const MAX_LENGTH = 16 * 2 ** 20;
const LENGTH = ["userID", "customIDs", "userFields"].map((column) => `coalesce(length("${column}"), 0)`).join(" + ");

/** An attribute has a row once somebody has described or hidden it. Its id is its name. */
export const attributeKind: EntityKind<"attribute", Attribute> = {
  table: "attribute",
  type: "attribute",
  getID: ({ id }) => id,
  references: null,
  columns: {},
  listing: null,
  named: null,
  ruleset: null,
  needs: null,
  reach: NOWHERE,
};

export function createAttributeStore(deps: StoreDeps) {
  const { db, projectID } = deps;
  const store = entityStore(deps, attributeKind);
  return {
    find: store.find,
    listNaming: store.listNaming,

    get: async (id: string): Promise<Attribute> => (await store.find(id)) ?? undescribed(id),

    /** @throws AppError conflict if `before` is outdated */
    replace: (before: Attribute, after: Attribute): Promise<Attribute> =>
      before.version === 0 ? store.create(after, before) : store.replace(before, after),

    /** Every attribute that somebody has described or hidden. */
    async listDescribed(): Promise<Attribute[]> {
      const rows = await db.$queryRaw<{ entity: string }[]>`select entity from attribute where "projectID" = ${projectID}`;
      return rows.map(({ entity }) => fromText<Attribute>(entity));
    },

    /** The users of the newest exposures, newest first. A user may be among them several times. */
    async listSeen(): Promise<SeenUser[]> {
      const { read } = eventReader(db);
      const rows = await read<UserRow>((bind) => {
        const newest = (name: string) =>
          `select * from (select "userID", "customIDs", "environment", "userFields", "time", "id" from event
            where "projectID" = ${bind.text(projectID)} and "name" = ${bind.text(name)} order by "time" desc, "id" desc limit ${MAX_READ}) as seen`;
        return `
select "userID", "customIDs", "environment", "userFields", "time" from (
  select *, sum(${LENGTH}) over (order by "time" desc, "id" desc rows between unbounded preceding and current row) as total
  from (${EXPOSURE_EVENTS.map(newest).join(" union all ")}) as exposures
) as measured where total <= ${MAX_LENGTH} order by "time" desc, "id" desc`;
      });
      return rows.map(toSeenUser);
    },
  };
}
