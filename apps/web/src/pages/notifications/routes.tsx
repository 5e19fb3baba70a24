import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ensure, query } from "../../api.ts";
import { projectRoute } from "../../shell/project-route.tsx";
import { pageRequest, pageSearch } from "./page-search.ts";

const page = createRoute({
  getParentRoute: () => projectRoute,
  path: "notifications",
  validateSearch: pageSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps, params: { projectID } }) =>
    deps.tab === "settings"
      ? ensure(query("getNotificationSettings", { path: { id: projectID } }))
      : ensure(query("listNotifications", pageRequest(deps, projectID))),
  component: lazyRouteComponent(() => import("./page.tsx")),
});

export const routes = [page] as const;

declare module "../../shell/project-route.tsx" {
  interface ProjectRoutes {
    notifications: typeof routes;
  }
}
