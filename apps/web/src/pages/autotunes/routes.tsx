import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ensure, query } from "../../api.ts";
import { EntityError } from "../../entity/entity-error.tsx";
import { statusListRequest, tabSearch } from "../../entity/plain-list-search.ts";
import { kinds } from "../../kinds/kinds.ts";
import { projectRoute } from "../../shell/project-route.tsx";
import { autotuneListSearch } from "./list-search.ts";

const list = createRoute({
  getParentRoute: () => projectRoute,
  path: "autotunes",
  validateSearch: autotuneListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listAutotunes", statusListRequest(deps))),
  component: lazyRouteComponent(() => import("./list.tsx")),
});

const page = createRoute({
  getParentRoute: () => projectRoute,
  path: "autotunes/$id",
  validateSearch: tabSearch(kinds.autotune.tabs),
  loader: ({ params: { id } }) => ensure(query("getAutotune", { path: { id } })),
  component: lazyRouteComponent(() => import("./page.tsx")),
  errorComponent: (props) => <EntityError type="autotune" {...props} />,
});

export const routes = [list, page] as const;

declare module "../../shell/project-route.tsx" {
  interface ProjectRoutes {
    autotunes: typeof routes;
  }
}
