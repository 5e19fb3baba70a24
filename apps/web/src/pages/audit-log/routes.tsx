import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { projectRoute } from "../../shell/project-route.tsx";
import { auditLogSearch } from "./page-search.ts";

const page = createRoute({
  getParentRoute: () => projectRoute,
  path: "audit-log",
  validateSearch: auditLogSearch,
  component: lazyRouteComponent(() => import("./page.tsx")),
});

export const routes = [page] as const;

declare module "../../shell/project-route.tsx" {
  interface ProjectRoutes {
    "audit-log": typeof routes;
  }
}
