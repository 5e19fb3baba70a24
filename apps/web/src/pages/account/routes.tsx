import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ensure, instanceQuery } from "../../api.ts";
import { projectRoute } from "../../shell/project-route.tsx";

const page = createRoute({
  getParentRoute: () => projectRoute,
  path: "account",
  loader: () => ensure(instanceQuery("listSessions")),
  component: lazyRouteComponent(() => import("./page.tsx")),
});

export const routes = [page] as const;

declare module "../../shell/project-route.tsx" {
  interface ProjectRoutes {
    account: typeof routes;
  }
}
