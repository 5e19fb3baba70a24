import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ensure, query } from "../../api.ts";
import { EntityError } from "../../entity/entity-error.tsx";
import { ownerListSearch, plainListRequest, tabSearch } from "../../entity/plain-list-search.ts";
import { kinds } from "../../kinds/kinds.ts";
import { projectRoute } from "../../shell/project-route.tsx";

const list = createRoute({
  getParentRoute: () => projectRoute,
  path: "param-stores",
  validateSearch: ownerListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listParamStores", plainListRequest(deps))),
  component: lazyRouteComponent(() => import("./list.tsx")),
});

const page = createRoute({
  getParentRoute: () => projectRoute,
  path: "param-stores/$id",
  validateSearch: tabSearch(kinds.param_store.tabs),
  loader: ({ params: { id } }) => ensure(query("getParamStore", { path: { name: id } })),
  component: lazyRouteComponent(() => import("./page.tsx")),
  errorComponent: (props) => <EntityError type="param_store" {...props} />,
});

export const routes = [list, page] as const;

declare module "../../shell/project-route.tsx" {
  interface ProjectRoutes {
    "param-stores": typeof routes;
  }
}
