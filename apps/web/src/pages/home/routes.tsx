import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ensure, query } from "../../api.ts";
import { projectRoute } from "../../shell/project-route.tsx";
import { ANY_GATE, RUNNING, STALE_EXPERIMENTS, STALE_GATES, STOPPED, stepsSoon } from "./requests.ts";

const page = createRoute({
  getParentRoute: () => projectRoute,
  path: "/",
  loader: () =>
    Promise.all([
      ensure(query("listGates", ANY_GATE)),
      ensure(query("listGates", STALE_GATES)),
      ensure(query("listGates", stepsSoon(Date.now()))),
      ensure(query("listDynamicConfigs", stepsSoon(Date.now()))),
      ...[RUNNING, STOPPED, STALE_EXPERIMENTS].map((request) => ensure(query("listExperiments", request))),
    ]),
  component: lazyRouteComponent(() => import("./page.tsx")),
});

export const routes = [page] as const;

declare module "../../shell/project-route.tsx" {
  interface ProjectRoutes {
    home: typeof routes;
  }
}
