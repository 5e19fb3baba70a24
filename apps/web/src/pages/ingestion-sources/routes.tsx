import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ensure, query } from "../../api.ts";
import { EntityError } from "../../entity/entity-error.tsx";
import { plainListRequest, untaggedOwnerSearch } from "../../entity/plain-list-search.ts";
import { projectRoute } from "../../shell/project-route.tsx";
import { sourceSearch } from "./days-search.ts";

const list = createRoute({
  getParentRoute: () => projectRoute,
  path: "ingestion-sources",
  validateSearch: untaggedOwnerSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listIngestionSources", plainListRequest(deps))),
  component: lazyRouteComponent(() => import("./list.tsx")),
});

const page = createRoute({
  getParentRoute: () => projectRoute,
  path: "ingestion-sources/$id",
  validateSearch: sourceSearch,
  loader: ({ params: { id } }) => ensure(query("getIngestionSource", { path: { name: id } })),
  component: lazyRouteComponent(() => import("./page.tsx")),
  errorComponent: (props) => <EntityError type="ingestion_source" {...props} />,
});

export const routes = [list, page] as const;

declare module "../../shell/project-route.tsx" {
  interface ProjectRoutes {
    "ingestion-sources": typeof routes;
  }
}
