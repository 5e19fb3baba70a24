import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ensure, query } from "../../api.ts";
import { EntityError } from "../../entity/entity-error.tsx";
import { projectRoute } from "../../shell/project-route.tsx";
import { configListRequest, configListSearch } from "./list-search.ts";
import { configPageSearch } from "./page-search.ts";

const list = createRoute({
  getParentRoute: () => projectRoute,
  path: "dynamic-configs",
  validateSearch: configListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listDynamicConfigs", configListRequest(deps))),
  component: lazyRouteComponent(() => import("./list.tsx")),
});

const page = createRoute({
  getParentRoute: () => projectRoute,
  path: "dynamic-configs/$id",
  validateSearch: configPageSearch,
  loader: ({ params: { id } }) => ensure(query("getDynamicConfig", { path: { id } })),
  component: lazyRouteComponent(() => import("./page.tsx")),
  errorComponent: (props) => <EntityError type="dynamic_config" {...props} />,
});

export const routes = [list, page] as const;

declare module "../../shell/project-route.tsx" {
  interface ProjectRoutes {
    "dynamic-configs": typeof routes;
  }
}
