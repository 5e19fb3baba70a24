import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ensure, query } from "../../api.ts";
import { EntityError } from "../../entity/entity-error.tsx";
import { projectRoute } from "../../shell/project-route.tsx";
import { gateListRequest, gateListSearch } from "./list-search.ts";
import { gatePageSearch } from "./page-search.ts";

const list = createRoute({
  getParentRoute: () => projectRoute,
  path: "gates",
  validateSearch: gateListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listGates", gateListRequest(deps))),
  component: lazyRouteComponent(() => import("./list.tsx")),
});

const page = createRoute({
  getParentRoute: () => projectRoute,
  path: "gates/$id",
  validateSearch: gatePageSearch,
  loader: ({ params: { id } }) =>
    Promise.all([ensure(query("getGate", { path: { id } })), ensure(query("getGateOverrides", { path: { id } }))]),
  component: lazyRouteComponent(() => import("./page.tsx")),
  errorComponent: (props) => <EntityError type="gate" {...props} />,
});

export const routes = [list, page] as const;

declare module "../../shell/project-route.tsx" {
  interface ProjectRoutes {
    gates: typeof routes;
  }
}
