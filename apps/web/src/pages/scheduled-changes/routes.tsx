import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ensure, query } from "../../api.ts";
import { projectRoute } from "../../shell/project-route.tsx";
import { pageRequest, pageSearch } from "./page-search.ts";

const page = createRoute({
  getParentRoute: () => projectRoute,
  path: "scheduled-changes",
  validateSearch: pageSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listScheduledChanges", pageRequest(deps))),
  component: lazyRouteComponent(() => import("./page.tsx")),
});

export const routes = [page] as const;

declare module "../../shell/project-route.tsx" {
  interface ProjectRoutes {
    "scheduled-changes": typeof routes;
  }
}
