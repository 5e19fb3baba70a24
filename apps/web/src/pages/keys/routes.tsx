import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ensure, query } from "../../api.ts";
import { isPermitted } from "../../session/account.ts";
import { projectRoute } from "../../shell/project-route.tsx";
import { keyListRequest, keyListSearch } from "./list-search.ts";

const list = createRoute({
  getParentRoute: () => projectRoute,
  path: "keys",
  validateSearch: keyListSearch,
  loaderDeps: ({ search }) => search,
  // Without the permission the page explains why it is empty.
  loader: async ({ deps }) => (await isPermitted("read_keys")) && ensure(query("listKeys", keyListRequest(deps))),
  component: lazyRouteComponent(() => import("./list.tsx")),
});

const page = createRoute({
  getParentRoute: () => projectRoute,
  path: "keys/$id",
  loader: async ({ params: { id } }) => (await isPermitted("read_keys")) && ensure(query("getKey", { path: { id } })),
  component: lazyRouteComponent(() => import("./page.tsx")),
});

export const routes = [list, page] as const;

declare module "../../shell/project-route.tsx" {
  interface ProjectRoutes {
    keys: typeof routes;
  }
}
