import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ensure, query } from "../../api.ts";
import { tabSearch } from "../../entity/plain-list-search.ts";
import { projectRoute } from "../../shell/project-route.tsx";
import { TEAMS } from "./requests.ts";
import { TABS } from "./tabs.ts";

const page = createRoute({
  getParentRoute: () => projectRoute,
  path: "settings",
  validateSearch: tabSearch(TABS),
  loader: () => Promise.all([ensure(query("getSettings")), ensure(query("getEnvironments")), ensure(query("listTeams", TEAMS))]),
  component: lazyRouteComponent(() => import("./page.tsx")),
});

export const routes = [page] as const;

declare module "../../shell/project-route.tsx" {
  interface ProjectRoutes {
    settings: typeof routes;
  }
}
