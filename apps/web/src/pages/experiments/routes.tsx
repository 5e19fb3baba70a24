import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ensure, query } from "../../api.ts";
import { EntityError } from "../../entity/entity-error.tsx";
import { projectRoute } from "../../shell/project-route.tsx";
import { experimentListRequest, experimentListSearch } from "./list-search.ts";
import { experimentPageSearch } from "./page-search.ts";

const list = createRoute({
  getParentRoute: () => projectRoute,
  path: "experiments",
  validateSearch: experimentListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listExperiments", experimentListRequest(deps))),
  component: lazyRouteComponent(() => import("./list.tsx")),
});

const page = createRoute({
  getParentRoute: () => projectRoute,
  path: "experiments/$id",
  validateSearch: experimentPageSearch,
  loader: ({ params: { id } }) => ensure(query("getExperiment", { path: { id } })),
  component: lazyRouteComponent(() => import("./page.tsx")),
  errorComponent: (props) => <EntityError type="experiment" {...props} />,
});

export const routes = [list, page] as const;

declare module "../../shell/project-route.tsx" {
  interface ProjectRoutes {
    experiments: typeof routes;
  }
}
