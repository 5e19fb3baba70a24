import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ensure, query } from "../../api.ts";
import { EntityError } from "../../entity/entity-error.tsx";
import { statusListRequest, tabSearch } from "../../entity/plain-list-search.ts";
import { kinds } from "../../kinds/kinds.ts";
import { projectRoute } from "../../shell/project-route.tsx";
import { alertListSearch } from "./list-search.ts";

const list = createRoute({
  getParentRoute: () => projectRoute,
  path: "alerts",
  validateSearch: alertListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listAlerts", statusListRequest(deps))),
  component: lazyRouteComponent(() => import("./list.tsx")),
});

const page = createRoute({
  getParentRoute: () => projectRoute,
  path: "alerts/$id",
  validateSearch: tabSearch(kinds.alert.tabs),
  loader: ({ params: { id } }) => ensure(query("getAlert", { path: { id } })),
  component: lazyRouteComponent(() => import("./page.tsx")),
  errorComponent: (props) => <EntityError type="alert" {...props} />,
});

export const routes = [list, page] as const;

declare module "../../shell/project-route.tsx" {
  interface ProjectRoutes {
    alerts: typeof routes;
  }
}
