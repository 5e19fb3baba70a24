import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ensure, query } from "../../api.ts";
import { EntityError } from "../../entity/entity-error.tsx";
import { projectRoute } from "../../shell/project-route.tsx";
import { segmentListRequest, segmentListSearch } from "./list-search.ts";
import { segmentPageSearch } from "./page-search.ts";

const list = createRoute({
  getParentRoute: () => projectRoute,
  path: "segments",
  validateSearch: segmentListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listSegments", segmentListRequest(deps))),
  component: lazyRouteComponent(() => import("./list.tsx")),
});

const page = createRoute({
  getParentRoute: () => projectRoute,
  path: "segments/$id",
  validateSearch: segmentPageSearch,
  loader: ({ params: { id } }) => ensure(query("getSegment", { path: { id } })),
  component: lazyRouteComponent(() => import("./page.tsx")),
  errorComponent: (props) => <EntityError type="segment" {...props} />,
});

export const routes = [list, page] as const;

declare module "../../shell/project-route.tsx" {
  interface ProjectRoutes {
    segments: typeof routes;
  }
}
