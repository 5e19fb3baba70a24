import { Prisma } from "../../generated/prisma/client.ts";
import { type DeleteOptions, entityStore } from "../../store/entities/entity-store.ts";
import { filters } from "../../store/entities/filters.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { BY_OWNER } from "../common/listed.ts";
import { needsOfTagged } from "../common/needs.ts";
import type { Window } from "../common/page.ts";
import { NOWHERE } from "../common/parts-elsewhere.ts";
import type { NamedKind } from "../slice.ts";
import { type Alert, checkIntervalMs, namedByAlert } from "./alert.ts";
import { withCheck } from "./alert-check.ts";
import { createAlertCheckStore } from "./alert-check-store.ts";

type AlertFilter = {
  creatorID?: string | null;
  creatorName?: string | null;
  tags?: string[];
  teamID?: string;
  ownerID?: string;
  status?: string[];
};

export const alertKind: NamedKind<"alert", Alert> = {
  table: "alert",
  type: "alert",
  getID: (alert) => alert.id,
  references: namedByAlert,
  columns: {
    ...BY_OWNER,
    creatorID: (alert) => alert.creatorID,
    creatorName: (alert) => alert.creatorName,
    tags: (alert) => alert.tags,
    checkIntervalMs: { unlisted: checkIntervalMs },
  },
  listing: { getName: ({ name }) => name, searchTexts: ({ message }) => [message] },
  named: { as: "alert", check: "exists", isArchived: Prisma.sql`false` },
  ruleset: null,
  needs: needsOfTagged,
  reach: NOWHERE,
};

export function createAlertStore(deps: StoreDeps) {
  const store = entityStore(deps, alertKind);
  const checks = createAlertCheckStore(deps);

  async function withChecks(alerts: readonly Alert[]): Promise<Alert[]> {
    const found = await checks.find(alerts.map(({ id }) => id));
    return alerts.map((alert) => withCheck(alert, found.get(alert.id)));
  }

  return {
    ...store,
    checks: checks,

    /** The alert with the last check's finding. For answers only: versions do not contain it. */
    withCheck: async (alert: Alert): Promise<Alert> => (await withChecks([alert]))[0] as Alert,

    /** For answers: with the last checks' findings, in the window's order; newest first by default. */
    async list({ tags, status, ...columns }: AlertFilter, window: Window) {
      const where = [...filters.equal(columns), ...filters.holding({ tags }), ...(status === undefined ? [] : [inStatus(status)])];
      // Results of checks are not in the change log.
      const { data, total } = await store.listWhere(where, window, { areLogged: status === undefined });
      return { data: await withChecks(data), total };
    },

    /** Deletes its status and events as well. @throws AppError conflict if `alert` is outdated, or something references it */
    async delete(alert: Alert, options?: DeleteOptions): Promise<void> {
      await store.delete(alert, options);
      await checks.delete(alert.id);
    },
  };
}

/** Alerts whose last check found one of these statuses. */
const inStatus = (statuses: readonly string[]): Prisma.Sql => Prisma.sql`exists (
  select from alert_check as seen where seen."projectID" = alert."projectID" and seen."alertID" = alert.id
    and seen.state::json ->> 'status' = any(${[...statuses]}::text[]))`;
