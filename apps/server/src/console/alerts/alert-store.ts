import { type DeleteOptions, entityStore } from "../../store/entities/entity-store.ts";
import { filters } from "../../store/entities/filters.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { needsOfTagged } from "../common/needs.ts";
import type { Window } from "../common/page.ts";
import { NOWHERE } from "../common/reach.ts";
import type { EntityKind } from "../slice.ts";
import { type Alert, looksEveryMs, namedByAlert } from "./alert.ts";
import { withLook } from "./alert-look.ts";
import { createAlertLookStore } from "./alert-look-store.ts";

type AlertFilter = { creatorID?: string | null; creatorName?: string | null; tags?: string[] };

export const alertKind: EntityKind<"alert", Alert> = {
  table: "alert",
  type: "alert",
  idOf: (alert) => alert.id,
  references: namedByAlert,
  columns: {
    creatorID: (alert) => alert.creatorID,
    creatorName: (alert) => alert.creatorName,
    tags: (alert) => alert.tags,
    looksEveryMs: { unlisted: looksEveryMs },
  },
  listing: { nameOf: ({ name }) => name, textsOf: ({ message }) => [message] },
  named: null,
  ruleset: null,
  needs: needsOfTagged,
  reach: NOWHERE,
};

export function createAlertStore(deps: StoreDeps) {
  const store = entityStore(deps, alertKind);
  const looks = createAlertLookStore(deps);

  async function withLooks(alerts: readonly Alert[]): Promise<Alert[]> {
    const found = await looks.find(alerts.map(({ id }) => id));
    return alerts.map((alert) => withLook(alert, found.get(alert.id)));
  }

  return {
    ...store,
    looks,

    /** The alert with what the last look found. For answers only: no version has it. */
    withLook: async (alert: Alert): Promise<Alert> => (await withLooks([alert]))[0] as Alert,

    /** For answers: with what the last looks found, as the window says; newest first by default. */
    async list({ tags, ...columns }: AlertFilter, window: Window) {
      const { data, total } = await store.listWhere([...filters.equal(columns), ...filters.holding({ tags })], window);
      return { data: await withLooks(data), total };
    },

    /** Deletes its status and events too. @throws AppError conflict if it is no longer the version `alert` */
    async delete(alert: Alert, options?: DeleteOptions): Promise<void> {
      await store.delete(alert, options);
      await looks.delete(alert.id);
    },
  };
}
