import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ensure, query } from "../../api.ts";
import { EntityError } from "../../entity/entity-error.tsx";
import { ownerListSearch, plainListRequest, tabSearch } from "../../entity/plain-list-search.ts";
import { kinds } from "../../kinds/kinds.ts";
import { projectRoute } from "../../shell/project-route.tsx";

const list = createRoute({
  getParentRoute: () => projectRoute,
  path: "dashboards",
  validateSearch: ownerListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listDashboards", plainListRequest(deps))),
  component: lazyRouteComponent(() => import("./list.tsx")),
});

const page = createRoute({
  getParentRoute: () => projectRoute,
  path: "dashboards/$id",
  validateSearch: tabSearch(kinds.dashboard.tabs),
  loader: ({ params: { id } }) => ensure(query("getDashboard", { path: { id } })),
  component: lazyRouteComponent(() => import("./page.tsx")),
  errorComponent: (props) => <EntityError type="dashboard" {...props} />,
});

export const routes = [list, page] as const;

declare module "../../shell/project-route.tsx" {
  interface ProjectRoutes {
    dashboards: typeof routes;
  }
}
