import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ensure, query } from "../../api.ts";
import { EntityError } from "../../entity/entity-error.tsx";
import { projectRoute } from "../../shell/project-route.tsx";
import { metricListRequest, metricListSearch } from "./list-search.ts";
import { metricSearch } from "./page-search.ts";

const list = createRoute({
  getParentRoute: () => projectRoute,
  path: "metrics",
  validateSearch: metricListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listMetrics", metricListRequest(deps))),
  component: lazyRouteComponent(() => import("./list.tsx")),
});

const page = createRoute({
  getParentRoute: () => projectRoute,
  path: "metrics/$id",
  validateSearch: metricSearch,
  loader: ({ params: { id } }) => ensure(query("getMetric", { path: { id } })),
  component: lazyRouteComponent(() => import("./page.tsx")),
  errorComponent: (props) => <EntityError type="metric" {...props} />,
});

export const routes = [list, page] as const;

declare module "../../shell/project-route.tsx" {
  interface ProjectRoutes {
    metrics: typeof routes;
  }
}
