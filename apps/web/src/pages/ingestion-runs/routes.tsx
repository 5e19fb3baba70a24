import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ensure, query } from "../../api.ts";
import { projectRoute } from "../../shell/project-route.tsx";
import { runListRequest, runListSearch } from "./list-search.ts";

const list = createRoute({
  getParentRoute: () => projectRoute,
  path: "ingestion-runs",
  validateSearch: runListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listIngestionRuns", runListRequest(deps))),
  component: lazyRouteComponent(() => import("./list.tsx")),
});

const page = createRoute({
  getParentRoute: () => projectRoute,
  path: "ingestion-runs/$id",
  loader: ({ params: { id } }) => ensure(query("getIngestionRun", { path: { id } })),
  component: lazyRouteComponent(() => import("./page.tsx")),
});

export const routes = [list, page] as const;

declare module "../../shell/project-route.tsx" {
  interface ProjectRoutes {
    "ingestion-runs": typeof routes;
  }
}
