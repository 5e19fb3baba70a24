// What stands beside the entities: home, first steps, events, and who may do what.
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ensure, instanceQuery, query } from "../api.ts";
import { EntityError } from "../entity/entity-error.tsx";
import { plainListRequest, plainListSearch, tabSearch, untaggedListSearch } from "../entity/plain-list-search.ts";
import { TABS as ALERT_TABS } from "../pages/alerts/tabs.ts";
import { auditLogSearch } from "../pages/audit-log/page-search.ts";
import { eventListRequest, eventListSearch, eventPageRequest, eventPageSearch } from "../pages/events/search.ts";
import { ANY_GATE, RUNNING, STALE_EXPERIMENTS, STALE_GATES, STOPPED, stepsSoon } from "../pages/home/requests.ts";
import { runListRequest, runListSearch } from "../pages/ingestion-runs/list-search.ts";
import { sourceSearch } from "../pages/ingestion-sources/days-search.ts";
import { instanceSearch } from "../pages/instance/search.ts";
import { keyListRequest, keyListSearch } from "../pages/keys/list-search.ts";
import { metricListRequest, metricListSearch } from "../pages/metrics/list-search.ts";
import { TABS as METRIC_TABS } from "../pages/metrics/tabs.ts";
import { peopleSearch } from "../pages/people/page-search.ts";
import { rolesRequest } from "../pages/roles/reads.ts";
import { TABS as ROLE_TABS } from "../pages/roles/tabs.ts";
import { TABS as SETTINGS_TABS } from "../pages/settings/tabs.ts";
import { startSearch } from "../pages/start/page-search.ts";
import { teamListRequest, teamListSearch } from "../pages/teams/list-search.ts";
import { TABS as TEAM_TABS } from "../pages/teams/tabs.ts";
import { isPermitted } from "../session/account.ts";
import { membersRequest } from "../session/members.ts";
import { TABS as SOURCE_TABS } from "../sources/tabs.ts";
import { projectRoute } from "./project.tsx";

export const projectHomeRoute = createRoute({
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
  component: lazyRouteComponent(() => import("../pages/home/page.tsx")),
});

export const getStartedRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "start",
  validateSearch: startSearch,
  component: lazyRouteComponent(() => import("../pages/start/page.tsx")),
});

export const eventsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "events",
  validateSearch: eventListSearch,
  loaderDeps: ({ search: { search } }) => (search === undefined ? {} : { search }),
  loader: ({ deps }) => ensure(query("listEvents", eventListRequest(deps))),
  component: lazyRouteComponent(() => import("../pages/events/list.tsx")),
});

export const eventRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "events/$name",
  validateSearch: eventPageSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ params: { name }, deps }) =>
    Promise.all([
      ensure(query("getEventCounts", { path: { eventName: name } })),
      ensure(query("listEventValues", eventPageRequest(name, deps))),
    ]),
  component: lazyRouteComponent(() => import("../pages/events/page.tsx")),
});

export const metricsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "metrics",
  validateSearch: metricListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listMetrics", metricListRequest(deps))),
  component: lazyRouteComponent(() => import("../pages/metrics/list.tsx")),
});

export const metricRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "metrics/$id",
  validateSearch: tabSearch(METRIC_TABS),
  loader: ({ params: { id } }) => ensure(query("getMetric", { path: { id } })),
  component: lazyRouteComponent(() => import("../pages/metrics/page.tsx")),
  errorComponent: (props) => <EntityError type="metric" {...props} />,
});

export const metricSourcesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "metric-sources",
  validateSearch: untaggedListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listMetricSources", plainListRequest(deps))),
  component: lazyRouteComponent(() => import("../pages/metric-sources/list.tsx")),
});

export const metricSourceRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "metric-sources/$id",
  validateSearch: tabSearch(SOURCE_TABS),
  loader: ({ params: { id } }) => ensure(query("getMetricSource", { path: { name: id } })),
  component: lazyRouteComponent(() => import("../pages/metric-sources/page.tsx")),
  errorComponent: (props) => <EntityError type="metric_source" {...props} />,
});

export const alertsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "alerts",
  validateSearch: plainListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listAlerts", plainListRequest(deps))),
  component: lazyRouteComponent(() => import("../pages/alerts/list.tsx")),
});

export const alertRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "alerts/$id",
  validateSearch: tabSearch(ALERT_TABS),
  loader: ({ params: { id } }) => ensure(query("getAlert", { path: { id } })),
  component: lazyRouteComponent(() => import("../pages/alerts/page.tsx")),
  errorComponent: (props) => <EntityError type="alert" {...props} />,
});

export const assignmentSourcesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "assignment-sources",
  validateSearch: untaggedListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listAssignmentSources", plainListRequest(deps))),
  component: lazyRouteComponent(() => import("../pages/assignment-sources/list.tsx")),
});

export const assignmentSourceRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "assignment-sources/$id",
  validateSearch: tabSearch(SOURCE_TABS),
  loader: ({ params: { id } }) => ensure(query("getAssignmentSource", { path: { name: id } })),
  component: lazyRouteComponent(() => import("../pages/assignment-sources/page.tsx")),
  errorComponent: (props) => <EntityError type="assignment_source" {...props} />,
});

export const entityPropertySourcesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "entity-properties",
  validateSearch: untaggedListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listEntityPropertySources", plainListRequest(deps))),
  component: lazyRouteComponent(() => import("../pages/entity-properties/list.tsx")),
});

export const entityPropertySourceRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "entity-properties/$id",
  validateSearch: tabSearch(SOURCE_TABS),
  loader: ({ params: { id } }) => ensure(query("getEntityPropertySource", { path: { name: id } })),
  component: lazyRouteComponent(() => import("../pages/entity-properties/page.tsx")),
  errorComponent: (props) => <EntityError type="entity_property_source" {...props} />,
});

export const qualifyingEventsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "qualifying-events",
  validateSearch: untaggedListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listQualifyingEvents", plainListRequest(deps))),
  component: lazyRouteComponent(() => import("../pages/qualifying-events/list.tsx")),
});

export const qualifyingEventRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "qualifying-events/$id",
  validateSearch: tabSearch(SOURCE_TABS),
  loader: ({ params: { id } }) => ensure(query("getQualifyingEvent", { path: { name: id } })),
  component: lazyRouteComponent(() => import("../pages/qualifying-events/page.tsx")),
  errorComponent: (props) => <EntityError type="qualifying_event" {...props} />,
});

export const ingestionSourcesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "ingestion-sources",
  validateSearch: untaggedListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listIngestionSources", plainListRequest(deps))),
  component: lazyRouteComponent(() => import("../pages/ingestion-sources/list.tsx")),
});

export const ingestionSourceRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "ingestion-sources/$id",
  validateSearch: sourceSearch,
  loader: ({ params: { id } }) => ensure(query("getIngestionSource", { path: { name: id } })),
  component: lazyRouteComponent(() => import("../pages/ingestion-sources/page.tsx")),
  errorComponent: (props) => <EntityError type="ingestion_source" {...props} />,
});

export const ingestionRunsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "ingestion-runs",
  validateSearch: runListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listIngestionRuns", runListRequest(deps))),
  component: lazyRouteComponent(() => import("../pages/ingestion-runs/list.tsx")),
});

export const ingestionRunRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "ingestion-runs/$id",
  loader: ({ params: { id } }) => ensure(query("getIngestionRun", { path: { id } })),
  component: lazyRouteComponent(() => import("../pages/ingestion-runs/page.tsx")),
});

export const keysRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "keys",
  validateSearch: keyListSearch,
  loaderDeps: ({ search }) => search,
  // Without the permission the page says why it has nothing to show.
  loader: async ({ deps }) => (await isPermitted("read_keys")) && ensure(query("listKeys", keyListRequest(deps))),
  component: lazyRouteComponent(() => import("../pages/keys/list.tsx")),
});

export const keyRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "keys/$id",
  loader: async ({ params: { id } }) => (await isPermitted("read_keys")) && ensure(query("getKey", { path: { id } })),
  component: lazyRouteComponent(() => import("../pages/keys/page.tsx")),
});

export const peopleRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "people",
  validateSearch: peopleSearch,
  loader: () => ensure(query("listUsers", membersRequest)),
  component: lazyRouteComponent(() => import("../pages/people/page.tsx")),
});

export const rolesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "roles",
  loader: () => ensure(query("listRoles", rolesRequest)),
  component: lazyRouteComponent(() => import("../pages/roles/list.tsx")),
});

export const roleRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "roles/$id",
  validateSearch: tabSearch(ROLE_TABS),
  loader: ({ params: { id } }) => ensure(query("getRole", { path: { id } })),
  component: lazyRouteComponent(() => import("../pages/roles/page.tsx")),
});

export const teamsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "teams",
  validateSearch: teamListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listTeams", teamListRequest(deps))),
  component: lazyRouteComponent(() => import("../pages/teams/list.tsx")),
});

export const teamRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "teams/$id",
  validateSearch: tabSearch(TEAM_TABS),
  loader: ({ params: { id } }) => ensure(query("getTeam", { path: { id } })),
  component: lazyRouteComponent(() => import("../pages/teams/page.tsx")),
  errorComponent: (props) => <EntityError type="team" {...props} />,
});

export const settingsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "settings",
  validateSearch: tabSearch(SETTINGS_TABS),
  loader: () => Promise.all([ensure(query("getSettings")), ensure(query("getEnvironments"))]),
  component: lazyRouteComponent(() => import("../pages/settings/page.tsx")),
});

export const auditLogRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "audit-log",
  validateSearch: auditLogSearch,
  component: lazyRouteComponent(() => import("../pages/audit-log/page.tsx")),
});

export const accountRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "account",
  loader: () => ensure(instanceQuery("listSessions")),
  component: lazyRouteComponent(() => import("../pages/account/page.tsx")),
});

export const instanceRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "instance",
  validateSearch: instanceSearch,
  component: lazyRouteComponent(() => import("../pages/instance/page.tsx")),
});
