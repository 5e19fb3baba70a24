// The whole route tree: one place to see every address. A page's address holds its state, and its loader fills the cache.
import { type AnyRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { ensure, enterProject, instanceQuery, query } from "./api.ts";
import type { PlacedType } from "./kinds/kinds.ts";
import { accountRoutes } from "./pages/account/routes.tsx";
import { alertRoutes } from "./pages/alerts/routes.tsx";
import { assignmentSourceRoutes } from "./pages/assignment-sources/routes.tsx";
import { auditLogRoutes } from "./pages/audit-log/routes.tsx";
import { autotuneRoutes } from "./pages/autotunes/routes.tsx";
import { dynamicConfigRoutes } from "./pages/dynamic-configs/routes.tsx";
import { entityPropertySourceRoutes } from "./pages/entity-properties/routes.tsx";
import { eventRoutes } from "./pages/events/routes.tsx";
import { experimentRoutes } from "./pages/experiments/routes.tsx";
import { gateRoutes } from "./pages/gates/routes.tsx";
import { holdoutRoutes } from "./pages/holdouts/routes.tsx";
import { homeRoutes } from "./pages/home/routes.tsx";
import { ingestionRunRoutes } from "./pages/ingestion-runs/routes.tsx";
import { ingestionSourceRoutes } from "./pages/ingestion-sources/routes.tsx";
import { instanceRoutes } from "./pages/instance/routes.tsx";
import { keyRoutes } from "./pages/keys/routes.tsx";
import { layerRoutes } from "./pages/layers/routes.tsx";
import { metricSourceRoutes } from "./pages/metric-sources/routes.tsx";
import { metricRoutes } from "./pages/metrics/routes.tsx";
import { paramStoreRoutes } from "./pages/param-stores/routes.tsx";
import { memberRoutes } from "./pages/people/routes.tsx";
import { promptRoutes } from "./pages/prompts/routes.tsx";
import { qualifyingEventRoutes } from "./pages/qualifying-events/routes.tsx";
import { roleRoutes } from "./pages/roles/routes.tsx";
import { segmentRoutes } from "./pages/segments/routes.tsx";
import { settingsRoutes } from "./pages/settings/routes.tsx";
import { startRoutes } from "./pages/start/routes.tsx";
import { teamRoutes } from "./pages/teams/routes.tsx";
import { isPermitted } from "./session/account.ts";
import { takeNext } from "./session/next-address.ts";
import { ErrorPage, NotFoundPage } from "./shell/error-page.tsx";
import { PageLoading } from "./shell/page-loading.tsx";
import { projectRoute, requireAccount, rootRoute, text } from "./shell/project-route.tsx";

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  // Only addresses of this console: `//host` would lead elsewhere.
  validateSearch: (search: Record<string, unknown>): { next?: string } => {
    const next = text(search.next);
    return next !== undefined && /^\/(?![/\\])/.test(next) ? { next } : {};
  },
  loader: () => ensure(instanceQuery("getSignInMethods")),
  component: lazyRouteComponent(() => import("./session/sign-in-page.tsx")),
});

const welcomeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/welcome",
  component: lazyRouteComponent(() => import("./session/welcome-page.tsx")),
});

/** Whether no application has reported anything yet to a project for which the person can make a key. */
async function isUntouched(): Promise<boolean> {
  if (!(await isPermitted("manage_keys"))) return false;
  const { pagination } = await ensure(query("listEvents", { query: { limit: 1 } }));
  return pagination.totalItems === 0;
}

const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  beforeLoad: async ({ location }) => {
    const { defaultProjectID } = await requireAccount(location.href);
    const next = takeNext();
    if (next !== undefined) throw redirect({ href: next, replace: true });
    if (defaultProjectID === null) return;
    enterProject(defaultProjectID);
    const to = (await isUntouched()) ? "/projects/$projectID/start" : "/projects/$projectID";
    throw redirect({ to, params: { projectID: defaultProjectID }, replace: true });
  },
  component: lazyRouteComponent(() => import("./session/no-project-page.tsx")),
});

/** Addresses without a project lead to the person's default project. */
const shortGateRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/gates/$id",
  beforeLoad: async ({ location, params: { id } }) => {
    const { defaultProjectID } = await requireAccount(location.href);
    const next = takeNext();
    if (next !== undefined) throw redirect({ href: next, replace: true });
    if (defaultProjectID === null) throw redirect({ to: "/", replace: true });
    throw redirect({ to: "/projects/$projectID/gates/$id", params: { projectID: defaultProjectID, id }, replace: true });
  },
});

/** The list of each kind in the navigation, and the page of each entity. */
const kindRoutes = {
  gate: gateRoutes,
  dynamic_config: dynamicConfigRoutes,
  experiment: experimentRoutes,
  autotune: autotuneRoutes,
  layer: layerRoutes,
  holdout: holdoutRoutes,
  segment: segmentRoutes,
  param_store: paramStoreRoutes,
  prompt: promptRoutes,
  metric: metricRoutes,
  metric_source: metricSourceRoutes,
  alert: alertRoutes,
  assignment_source: assignmentSourceRoutes,
  entity_property_source: entityPropertySourceRoutes,
  qualifying_event: qualifyingEventRoutes,
  ingestion_source: ingestionSourceRoutes,
  key: keyRoutes,
  member: memberRoutes,
  role: roleRoutes,
  team: teamRoutes,
} satisfies Record<PlacedType, readonly AnyRoute[]>;

const routeTree = rootRoute.addChildren([
  signInRoute,
  welcomeRoute,
  startRoute,
  shortGateRoute,
  projectRoute.addChildren([
    ...Object.values(kindRoutes).flat(),
    ...homeRoutes,
    ...startRoutes,
    ...eventRoutes,
    ...ingestionRunRoutes,
    ...settingsRoutes,
    ...auditLogRoutes,
    ...accountRoutes,
    ...instanceRoutes,
  ]),
]);

export const router = createRouter({
  routeTree,
  defaultPreload: "intent",
  defaultPreloadStaleTime: 0,
  defaultPendingComponent: PageLoading,
  defaultErrorComponent: ErrorPage,
  defaultNotFoundComponent: NotFoundPage,
  scrollRestoration: true,
  // What no page knows and what a page refuses is dropped from the address.
  search: { strict: true },
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
