import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ensure, query } from "../../api.ts";
import { isPermitted } from "../../session/account.ts";
import { projectRoute } from "../../shell/project-route.tsx";
import { sdkRequest, sdkSearch } from "./search.ts";

const list = createRoute({
  getParentRoute: () => projectRoute,
  path: "sdks",
  validateSearch: sdkSearch,
  loaderDeps: ({ search }) => search,
  // Without the permission the page explains why it is empty.
  loader: async ({ deps }) => (await isPermitted("read_keys")) && ensure(query("listSDKs", sdkRequest(deps))),
  component: lazyRouteComponent(() => import("./list.tsx")),
});

export const routes = [list] as const;

declare module "../../shell/project-route.tsx" {
  interface ProjectRoutes {
    sdks: typeof routes;
  }
}
