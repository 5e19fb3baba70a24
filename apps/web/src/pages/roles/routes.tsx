import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ensure, query } from "../../api.ts";
import { tabSearch } from "../../entity/plain-list-search.ts";
import { kinds } from "../../kinds/kinds.ts";
import { projectRoute } from "../../shell/project-route.tsx";
import { rolesRequest } from "./reads.ts";

const list = createRoute({
  getParentRoute: () => projectRoute,
  path: "roles",
  loader: () => ensure(query("listRoles", rolesRequest)),
  component: lazyRouteComponent(() => import("./list.tsx")),
});

const page = createRoute({
  getParentRoute: () => projectRoute,
  path: "roles/$id",
  validateSearch: tabSearch(kinds.role.tabs),
  loader: ({ params: { id } }) => ensure(query("getRole", { path: { id } })),
  component: lazyRouteComponent(() => import("./page.tsx")),
});

export const routes = [list, page] as const;

declare module "../../shell/project-route.tsx" {
  interface ProjectRoutes {
    roles: typeof routes;
  }
}
