import { invalid } from "../../common/errors.ts";
import { entityStore } from "../../store/entities/entity-store.ts";
import { filters } from "../../store/entities/filters.ts";
import { without } from "../../store/entities/reference.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { BY_LABELS, BY_NAME } from "../common/listed.ts";
import { needsOfTagged } from "../common/needs.ts";
import type { Window } from "../common/page.ts";
import { NOWHERE } from "../common/parts-elsewhere.ts";
import { createMetricStore } from "../metrics/metric-store.ts";
import type { EntityKind } from "../slice.ts";
import { type Dashboard, namedByDashboard } from "./dashboard.ts";

type DashboardFilter = { tags?: string[]; teamID?: string; ownerID?: string };

export const dashboardKind: EntityKind<"dashboard", Dashboard> = {
  table: "dashboard",
  type: "dashboard",
  getID: (dashboard) => dashboard.id,
  references: namedByDashboard,
  columns: BY_LABELS,
  listing: BY_NAME,
  named: null,
  ruleset: null,
  needs: needsOfTagged,
  reach: NOWHERE,
};

export function createDashboardStore(deps: StoreDeps) {
  const store = entityStore(deps, dashboardKind);
  const metrics = createMetricStore(deps);

  /** Other entities may reference metrics that are created later, but a widget shows one that exists. */
  async function requireMetrics(before: Dashboard | null, after: Dashboard): Promise<void> {
    const added = without(namedByDashboard(after), before === null ? [] : namedByDashboard(before)).filter(({ type }) => type === "metric");
    if (added.length === 0) return;
    const states = await metrics.lockStates(added.map(({ id }) => id));
    const violations = added.flatMap(({ id, place }) => {
      const state = states.get(id) ?? "does not exist";
      return state === "is there" ? [] : [{ property: place, errorMessage: `references metric ${id}, which ${state}` }];
    });
    if (violations.length > 0) throw invalid(violations);
  }

  return {
    ...store,

    /** @throws AppError conflict if it exists; invalid_request if a metric or another reference's target is missing or archived */
    async create(dashboard: Dashboard): Promise<Dashboard> {
      await requireMetrics(null, dashboard);
      return store.create(dashboard);
    },

    /** @throws AppError conflict if `before` is outdated; invalid_request if the target of a new reference is missing or archived */
    async replace(before: Dashboard, after: Dashboard): Promise<Dashboard> {
      await requireMetrics(before, after);
      return store.replace(before, after);
    },

    /** Newest first. */
    list: ({ tags, ...columns }: DashboardFilter, window: Window) =>
      store.listWhere([...filters.equal(columns), ...filters.holding({ tags })], window),
  };
}
