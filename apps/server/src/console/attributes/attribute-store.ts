import { SDK_EVENTS } from "../../results/sql/logged.ts";
import { fromText } from "../../store/change-log/entity-text.ts";
import { eventReader } from "../../store/database/ask.ts";
import { entityStore } from "../../store/entities/entity-store.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { NOWHERE } from "../common/parts-elsewhere.ts";
import type { EntityKind } from "../slice.ts";
import { type Attribute, undescribed } from "./attribute.ts";
import { type SeenUser, toSeenUser, type UserRow } from "./seen-users.ts";

const EXPOSURES = ["gate_exposure", "config_exposure", "layer_exposure"].map((name) => `${SDK_EVENTS}${name}`);
/** The newest exposures of each name that a list of attributes reads. */
const MAX_READ = 1_000;

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
          `select * from (select "userID", "customIDs", "environment", "userFields", "time" from event
            where "projectID" = ${bind.text(projectID)} and "name" = ${bind.text(name)} order by "time" desc, "id" desc limit ${MAX_READ}) as seen`;
        return `select * from (${EXPOSURES.map(newest).join(" union all ")}) as exposures order by "time" desc`;
      });
      return rows.map(toSeenUser);
    },
  };
}
