import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { projectRoute } from "../../shell/project-route.tsx";
import { instanceSearch } from "./search.ts";

const page = createRoute({
  getParentRoute: () => projectRoute,
  path: "instance",
  validateSearch: instanceSearch,
  component: lazyRouteComponent(() => import("./page.tsx")),
});

export const routes = [page] as const;

declare module "../../shell/project-route.tsx" {
  interface ProjectRoutes {
    instance: typeof routes;
  }
}
