// The whole route tree: one place to see every address. A page's address holds its state, and its loader fills the cache.
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
  retainSearchParams,
} from "@tanstack/react-router";
import { ConsoleApiError, ensure, enterProject, instanceQuery, query } from "./api.ts";
import { plainListRequest, plainListSearch, tabSearch, untaggedListSearch } from "./entity/plain-list-search.ts";
import { auditLogSearch } from "./pages/audit-log/page-search.ts";
import { configListRequest, configListSearch } from "./pages/dynamic-configs/list-search.ts";
import { configPageSearch } from "./pages/dynamic-configs/page-search.ts";
import { eventListRequest, eventListSearch, eventPageRequest, eventPageSearch } from "./pages/events/search.ts";
import { experimentListRequest, experimentListSearch } from "./pages/experiments/list-search.ts";
import { experimentPageSearch } from "./pages/experiments/page-search.ts";
import { gateListRequest, gateListSearch } from "./pages/gates/list-search.ts";
import { gatePageSearch } from "./pages/gates/page-search.ts";
import { TABS as HOLDOUT_TABS } from "./pages/holdouts/tabs.ts";
import { ANY_GATE, RUNNING, STALE_EXPERIMENTS, STALE_GATES, STOPPED, stepsSoon } from "./pages/home/requests.ts";
import { keyListRequest, keyListSearch } from "./pages/keys/list-search.ts";
import { TABS as LAYER_TABS } from "./pages/layers/tabs.ts";
import { peopleSearch } from "./pages/people/page-search.ts";
import { membersRequest } from "./pages/people/reads.ts";
import { rolesRequest } from "./pages/roles/reads.ts";
import { segmentListRequest, segmentListSearch } from "./pages/segments/list-search.ts";
import { segmentPageSearch } from "./pages/segments/page-search.ts";
import { startSearch } from "./pages/start/page-search.ts";
import { teamListRequest, teamListSearch } from "./pages/teams/list-search.ts";
import { accountQuery, isPermitted } from "./session/account.ts";
import { ErrorPage, NotFoundPage } from "./shell/error-page.tsx";
import { PageLoading } from "./shell/page-loading.tsx";
import { Root } from "./shell/root.tsx";

const rootRoute = createRootRoute({ component: Root, errorComponent: ErrorPage, notFoundComponent: NotFoundPage });

/** The signed-in person. Without a session, the way leads to the sign-in page and back. */
async function requireAccount(href: string) {
  try {
    return (await ensure(accountQuery())).data;
  } catch (error) {
    if (error instanceof ConsoleApiError && error.status === 401) throw redirect({ to: "/sign-in", search: { next: href } });
    throw error;
  }
}

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

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
    if (defaultProjectID === null) return;
    enterProject(defaultProjectID);
    const to = (await isUntouched()) ? "/projects/$projectID/start" : "/projects/$projectID";
    throw redirect({ to, params: { projectID: defaultProjectID }, replace: true });
  },
  component: lazyRouteComponent(() => import("./session/no-project-page.tsx")),
});

const projectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/projects/$projectID",
  validateSearch: (search: Record<string, unknown>): { environment?: string } => {
    const environment = text(search.environment);
    return environment === undefined ? {} : { environment };
  },
  search: { middlewares: [retainSearchParams(["environment"])] },
  beforeLoad: async ({ params, location }) => {
    const { projects } = await requireAccount(location.href);
    if (!projects.some(({ id }) => id === params.projectID)) throw notFound();
    enterProject(params.projectID);
  },
  loader: () => ensure(query("getEnvironments")),
  component: lazyRouteComponent(() => import("./shell/shell.tsx"), "Shell"),
});

const projectHomeRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/",
  loader: () =>
    Promise.all([
      ensure(query("listGates", ANY_GATE)),
      ensure(query("listGates", STALE_GATES)),
      ensure(query("listGates", stepsSoon(Date.now()))),
      ensure(query("listDynamicConfigs", stepsSoon(Date.now()))),
      ...[RUNNING, STOPPED, STALE_EXPERIMENTS].map((request) => ensure(query("listExperiments", request))),
    ]),
  component: lazyRouteComponent(() => import("./pages/home/page.tsx")),
});

const gatesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "gates",
  validateSearch: gateListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listGates", gateListRequest(deps))),
  component: lazyRouteComponent(() => import("./pages/gates/list.tsx")),
});

const gateRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "gates/$id",
  validateSearch: gatePageSearch,
  loader: ({ params: { id } }) =>
    Promise.all([ensure(query("getGate", { path: { id } })), ensure(query("getGateOverrides", { path: { id } }))]),
  component: lazyRouteComponent(() => import("./pages/gates/page.tsx")),
});

const dynamicConfigsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "dynamic-configs",
  validateSearch: configListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listDynamicConfigs", configListRequest(deps))),
  component: lazyRouteComponent(() => import("./pages/dynamic-configs/list.tsx")),
});

const dynamicConfigRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "dynamic-configs/$id",
  validateSearch: configPageSearch,
  loader: ({ params: { id } }) => ensure(query("getDynamicConfig", { path: { id } })),
  component: lazyRouteComponent(() => import("./pages/dynamic-configs/page.tsx")),
});

const experimentsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "experiments",
  validateSearch: experimentListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listExperiments", experimentListRequest(deps))),
  component: lazyRouteComponent(() => import("./pages/experiments/list.tsx")),
});

const experimentRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "experiments/$id",
  validateSearch: experimentPageSearch,
  loader: ({ params: { id } }) => ensure(query("getExperiment", { path: { id } })),
  component: lazyRouteComponent(() => import("./pages/experiments/page.tsx")),
});

const layersRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "layers",
  validateSearch: untaggedListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listLayers", plainListRequest(deps))),
  component: lazyRouteComponent(() => import("./pages/layers/list.tsx")),
});

const layerRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "layers/$id",
  validateSearch: tabSearch(LAYER_TABS),
  loader: ({ params: { id } }) => ensure(query("getLayer", { path: { id } })),
  component: lazyRouteComponent(() => import("./pages/layers/page.tsx")),
});

const holdoutsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "holdouts",
  validateSearch: plainListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listHoldouts", plainListRequest(deps))),
  component: lazyRouteComponent(() => import("./pages/holdouts/list.tsx")),
});

const holdoutRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "holdouts/$id",
  validateSearch: tabSearch(HOLDOUT_TABS),
  loader: ({ params: { id } }) =>
    Promise.all([ensure(query("getHoldout", { path: { id } })), ensure(query("getHoldoutOverrides", { path: { id } }))]),
  component: lazyRouteComponent(() => import("./pages/holdouts/page.tsx")),
});

const segmentsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "segments",
  validateSearch: segmentListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listSegments", segmentListRequest(deps))),
  component: lazyRouteComponent(() => import("./pages/segments/list.tsx")),
});

const segmentRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "segments/$id",
  validateSearch: segmentPageSearch,
  loader: ({ params: { id } }) => ensure(query("getSegment", { path: { id } })),
  component: lazyRouteComponent(() => import("./pages/segments/page.tsx")),
});

const eventsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "events",
  validateSearch: eventListSearch,
  loaderDeps: ({ search: { search } }) => (search === undefined ? {} : { search }),
  loader: ({ deps }) => ensure(query("listEvents", eventListRequest(deps))),
  component: lazyRouteComponent(() => import("./pages/events/list.tsx")),
});

const eventRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "events/$name",
  validateSearch: eventPageSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ params: { name }, deps }) =>
    Promise.all([
      ensure(query("getEventCounts", { path: { eventName: name } })),
      ensure(query("listEventValues", eventPageRequest(name, deps))),
    ]),
  component: lazyRouteComponent(() => import("./pages/events/page.tsx")),
});

const auditLogRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "audit-log",
  validateSearch: auditLogSearch,
  component: lazyRouteComponent(() => import("./pages/audit-log/page.tsx")),
});

const getStartedRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "start",
  validateSearch: startSearch,
  component: lazyRouteComponent(() => import("./pages/start/page.tsx")),
});

const keysRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "keys",
  validateSearch: keyListSearch,
  loaderDeps: ({ search }) => search,
  // Without the permission the page says why it has nothing to show.
  loader: async ({ deps }) => (await isPermitted("read_keys")) && ensure(query("listKeys", keyListRequest(deps))),
  component: lazyRouteComponent(() => import("./pages/keys/list.tsx")),
});

const keyRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "keys/$id",
  loader: async ({ params: { id } }) => (await isPermitted("read_keys")) && ensure(query("getKey", { path: { id } })),
  component: lazyRouteComponent(() => import("./pages/keys/page.tsx")),
});

const peopleRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "people",
  validateSearch: peopleSearch,
  loader: () => ensure(query("listUsers", membersRequest)),
  component: lazyRouteComponent(() => import("./pages/people/page.tsx")),
});

const rolesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "roles",
  loader: () => ensure(query("listRoles", rolesRequest)),
  component: lazyRouteComponent(() => import("./pages/roles/list.tsx")),
});

const roleRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "roles/$id",
  loader: ({ params: { id } }) => ensure(query("getRole", { path: { id } })),
  component: lazyRouteComponent(() => import("./pages/roles/page.tsx")),
});

const teamsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "teams",
  validateSearch: teamListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listTeams", teamListRequest(deps))),
  component: lazyRouteComponent(() => import("./pages/teams/list.tsx")),
});

const teamRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "teams/$id",
  loader: ({ params: { id } }) => ensure(query("getTeam", { path: { id } })),
  component: lazyRouteComponent(() => import("./pages/teams/page.tsx")),
});

/** Addresses without a project lead to the person's default project. */
const shortGateRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/gates/$id",
  beforeLoad: async ({ location, params: { id } }) => {
    const { defaultProjectID } = await requireAccount(location.href);
    if (defaultProjectID === null) throw redirect({ to: "/", replace: true });
    throw redirect({ to: "/projects/$projectID/gates/$id", params: { projectID: defaultProjectID, id }, replace: true });
  },
});

const routeTree = rootRoute.addChildren([
  signInRoute,
  welcomeRoute,
  startRoute,
  shortGateRoute,
  projectRoute.addChildren([
    projectHomeRoute,
    getStartedRoute,
    gatesRoute,
    gateRoute,
    dynamicConfigsRoute,
    dynamicConfigRoute,
    experimentsRoute,
    experimentRoute,
    layersRoute,
    layerRoute,
    holdoutsRoute,
    holdoutRoute,
    segmentsRoute,
    segmentRoute,
    eventsRoute,
    eventRoute,
    keysRoute,
    keyRoute,
    peopleRoute,
    teamsRoute,
    teamRoute,
    rolesRoute,
    roleRoute,
    auditLogRoute,
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
