import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ensure, query } from "../../api.ts";
import { projectRoute } from "../../shell/project-route.tsx";
import { PAUSED, STEPPING } from "../../targeting/rollout-requests.ts";

const page = createRoute({
  getParentRoute: () => projectRoute,
  path: "rollouts",
  loader: () =>
    Promise.all([ensure(query("listGates", STEPPING)), ensure(query("listDynamicConfigs", STEPPING)), ensure(query("listGates", PAUSED))]),
  component: lazyRouteComponent(() => import("./page.tsx")),
});

export const routes = [page] as const;

declare module "../../shell/project-route.tsx" {
  interface ProjectRoutes {
    rollouts: typeof routes;
  }
}
