import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ensure, query } from "../../api.ts";
import { projectRoute } from "../../shell/project-route.tsx";
import { pageRequest, pageSearch } from "./page-search.ts";

const list = createRoute({
  getParentRoute: () => projectRoute,
  path: "releases",
  validateSearch: pageSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listReleases", pageRequest(deps))),
  component: lazyRouteComponent(() => import("./list.tsx")),
});

const page = createRoute({
  getParentRoute: () => projectRoute,
  path: "releases/$id",
  loader: ({ params: { id } }) => ensure(query("getRelease", { path: { id } })),
  component: lazyRouteComponent(() => import("./page.tsx")),
});

export const routes = [list, page] as const;

declare module "../../shell/project-route.tsx" {
  interface ProjectRoutes {
    releases: typeof routes;
  }
}
