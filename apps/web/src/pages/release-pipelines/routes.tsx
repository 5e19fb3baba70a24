import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ensure, query } from "../../api.ts";
import { EntityError } from "../../entity/entity-error.tsx";
import { plainListRequest, tabSearch, untaggedOwnerSearch } from "../../entity/plain-list-search.ts";
import { kinds } from "../../kinds/kinds.ts";
import { activeReleasesOf } from "../../releases/reads.ts";
import { projectRoute } from "../../shell/project-route.tsx";

const list = createRoute({
  getParentRoute: () => projectRoute,
  path: "release-pipelines",
  validateSearch: untaggedOwnerSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listReleasePipelines", plainListRequest(deps))),
  component: lazyRouteComponent(() => import("./list.tsx")),
});

const page = createRoute({
  getParentRoute: () => projectRoute,
  path: "release-pipelines/$id",
  validateSearch: tabSearch(kinds.release_pipeline.tabs),
  loader: ({ params: { id } }) =>
    Promise.all([ensure(query("getReleasePipeline", { path: { id } })), ensure(query("listReleases", activeReleasesOf(id)))]),
  component: lazyRouteComponent(() => import("./page.tsx")),
  errorComponent: (props) => <EntityError type="release_pipeline" {...props} />,
});

export const routes = [list, page] as const;

declare module "../../shell/project-route.tsx" {
  interface ProjectRoutes {
    "release-pipelines": typeof routes;
  }
}
