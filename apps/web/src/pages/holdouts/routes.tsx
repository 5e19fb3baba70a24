import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ensure, query } from "../../api.ts";
import { EntityError } from "../../entity/entity-error.tsx";
import { projectRoute } from "../../shell/project-route.tsx";
import { holdoutListRequest, holdoutListSearch } from "./list-search.ts";
import { holdoutPageSearch } from "./page-search.ts";

const list = createRoute({
  getParentRoute: () => projectRoute,
  path: "holdouts",
  validateSearch: holdoutListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listHoldouts", holdoutListRequest(deps))),
  component: lazyRouteComponent(() => import("./list.tsx")),
});

const page = createRoute({
  getParentRoute: () => projectRoute,
  path: "holdouts/$id",
  validateSearch: holdoutPageSearch,
  loader: ({ params: { id } }) =>
    Promise.all([ensure(query("getHoldout", { path: { id } })), ensure(query("getHoldoutOverrides", { path: { id } }))]),
  component: lazyRouteComponent(() => import("./page.tsx")),
  errorComponent: (props) => <EntityError type="holdout" {...props} />,
});

export const routes = [list, page] as const;

declare module "../../shell/project-route.tsx" {
  interface ProjectRoutes {
    holdouts: typeof routes;
  }
}
