import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ensure, query } from "../../api.ts";
import { projectRoute } from "../../shell/project-route.tsx";

const page = createRoute({
  getParentRoute: () => projectRoute,
  path: "portfolio",
  loader: () => Promise.all([ensure(query("getExperimentPortfolio", {})), ensure(query("listTeams", { query: { limit: 100 } }))]),
  component: lazyRouteComponent(() => import("./page.tsx")),
});

export const routes = [page] as const;

declare module "../../shell/project-route.tsx" {
  interface ProjectRoutes {
    portfolio: typeof routes;
  }
}
