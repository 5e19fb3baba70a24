import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { projectRoute } from "../../shell/project-route.tsx";
import { startSearch } from "./page-search.ts";

const page = createRoute({
  getParentRoute: () => projectRoute,
  path: "start",
  validateSearch: startSearch,
  component: lazyRouteComponent(() => import("./page.tsx")),
});

export const routes = [page] as const;

declare module "../../shell/project-route.tsx" {
  interface ProjectRoutes {
    start: typeof routes;
  }
}
