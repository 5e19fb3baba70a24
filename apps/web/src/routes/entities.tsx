// What decides what users get: lists, and a page for each entity.
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ensure, query } from "../api.ts";
import { EntityError } from "../entity/entity-error.tsx";
import { plainListRequest, plainListSearch, tabSearch, untaggedListSearch } from "../entity/plain-list-search.ts";
import { TABS as AUTOTUNE_TABS } from "../pages/autotunes/tabs.ts";
import { configListRequest, configListSearch } from "../pages/dynamic-configs/list-search.ts";
import { configPageSearch } from "../pages/dynamic-configs/page-search.ts";
import { experimentListRequest, experimentListSearch } from "../pages/experiments/list-search.ts";
import { experimentPageSearch } from "../pages/experiments/page-search.ts";
import { gateListRequest, gateListSearch } from "../pages/gates/list-search.ts";
import { gatePageSearch } from "../pages/gates/page-search.ts";
import { holdoutPageSearch } from "../pages/holdouts/page-search.ts";
import { TABS as LAYER_TABS } from "../pages/layers/tabs.ts";
import { paramStoreListRequest, paramStoreListSearch } from "../pages/param-stores/list-search.ts";
import { TABS as PARAM_STORE_TABS } from "../pages/param-stores/tabs.ts";
import { TABS as PROMPT_TABS } from "../pages/prompts/tabs.ts";
import { segmentListRequest, segmentListSearch } from "../pages/segments/list-search.ts";
import { segmentPageSearch } from "../pages/segments/page-search.ts";
import { projectRoute } from "./project.tsx";

export const gatesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "gates",
  validateSearch: gateListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listGates", gateListRequest(deps))),
  component: lazyRouteComponent(() => import("../pages/gates/list.tsx")),
});

export const gateRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "gates/$id",
  validateSearch: gatePageSearch,
  loader: ({ params: { id } }) =>
    Promise.all([ensure(query("getGate", { path: { id } })), ensure(query("getGateOverrides", { path: { id } }))]),
  component: lazyRouteComponent(() => import("../pages/gates/page.tsx")),
  errorComponent: (props) => <EntityError type="gate" {...props} />,
});

export const dynamicConfigsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "dynamic-configs",
  validateSearch: configListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listDynamicConfigs", configListRequest(deps))),
  component: lazyRouteComponent(() => import("../pages/dynamic-configs/list.tsx")),
});

export const dynamicConfigRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "dynamic-configs/$id",
  validateSearch: configPageSearch,
  loader: ({ params: { id } }) => ensure(query("getDynamicConfig", { path: { id } })),
  component: lazyRouteComponent(() => import("../pages/dynamic-configs/page.tsx")),
  errorComponent: (props) => <EntityError type="dynamic_config" {...props} />,
});

export const experimentsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "experiments",
  validateSearch: experimentListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listExperiments", experimentListRequest(deps))),
  component: lazyRouteComponent(() => import("../pages/experiments/list.tsx")),
});

export const experimentRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "experiments/$id",
  validateSearch: experimentPageSearch,
  loader: ({ params: { id } }) => ensure(query("getExperiment", { path: { id } })),
  component: lazyRouteComponent(() => import("../pages/experiments/page.tsx")),
  errorComponent: (props) => <EntityError type="experiment" {...props} />,
});

export const autotunesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "autotunes",
  validateSearch: plainListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listAutotunes", plainListRequest(deps))),
  component: lazyRouteComponent(() => import("../pages/autotunes/list.tsx")),
});

export const autotuneRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "autotunes/$id",
  validateSearch: tabSearch(AUTOTUNE_TABS),
  loader: ({ params: { id } }) => ensure(query("getAutotune", { path: { id } })),
  component: lazyRouteComponent(() => import("../pages/autotunes/page.tsx")),
  errorComponent: (props) => <EntityError type="autotune" {...props} />,
});

export const layersRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "layers",
  validateSearch: untaggedListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listLayers", plainListRequest(deps))),
  component: lazyRouteComponent(() => import("../pages/layers/list.tsx")),
});

export const layerRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "layers/$id",
  validateSearch: tabSearch(LAYER_TABS),
  loader: ({ params: { id } }) => ensure(query("getLayer", { path: { id } })),
  component: lazyRouteComponent(() => import("../pages/layers/page.tsx")),
  errorComponent: (props) => <EntityError type="layer" {...props} />,
});

export const holdoutsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "holdouts",
  validateSearch: plainListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listHoldouts", plainListRequest(deps))),
  component: lazyRouteComponent(() => import("../pages/holdouts/list.tsx")),
});

export const holdoutRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "holdouts/$id",
  validateSearch: holdoutPageSearch,
  loader: ({ params: { id } }) =>
    Promise.all([ensure(query("getHoldout", { path: { id } })), ensure(query("getHoldoutOverrides", { path: { id } }))]),
  component: lazyRouteComponent(() => import("../pages/holdouts/page.tsx")),
  errorComponent: (props) => <EntityError type="holdout" {...props} />,
});

export const segmentsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "segments",
  validateSearch: segmentListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listSegments", segmentListRequest(deps))),
  component: lazyRouteComponent(() => import("../pages/segments/list.tsx")),
});

export const segmentRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "segments/$id",
  validateSearch: segmentPageSearch,
  loader: ({ params: { id } }) => ensure(query("getSegment", { path: { id } })),
  component: lazyRouteComponent(() => import("../pages/segments/page.tsx")),
  errorComponent: (props) => <EntityError type="segment" {...props} />,
});

export const paramStoresRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "param-stores",
  validateSearch: paramStoreListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listParamStores", paramStoreListRequest(deps))),
  component: lazyRouteComponent(() => import("../pages/param-stores/list.tsx")),
});

export const paramStoreRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "param-stores/$id",
  validateSearch: tabSearch(PARAM_STORE_TABS),
  loader: ({ params: { id } }) => ensure(query("getParamStore", { path: { name: id } })),
  component: lazyRouteComponent(() => import("../pages/param-stores/page.tsx")),
  errorComponent: (props) => <EntityError type="param_store" {...props} />,
});

export const promptsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "prompts",
  validateSearch: untaggedListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listPrompts", plainListRequest(deps))),
  component: lazyRouteComponent(() => import("../pages/prompts/list.tsx")),
});

export const promptRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "prompts/$id",
  validateSearch: tabSearch(PROMPT_TABS),
  loader: ({ params: { id } }) => ensure(query("getPrompt", { path: { id } })),
  component: lazyRouteComponent(() => import("../pages/prompts/page.tsx")),
});
