import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ensure, query } from "../../api.ts";
import { EntityError } from "../../entity/entity-error.tsx";
import { ownerListSearch, plainListRequest, tabSearch } from "../../entity/plain-list-search.ts";
import { kinds } from "../../kinds/kinds.ts";
import { projectRoute } from "../../shell/project-route.tsx";

const list = createRoute({
  getParentRoute: () => projectRoute,
  path: "prompt-datasets",
  validateSearch: ownerListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listPromptDatasets", plainListRequest(deps))),
  component: lazyRouteComponent(() => import("./list.tsx")),
});

const page = createRoute({
  getParentRoute: () => projectRoute,
  path: "prompt-datasets/$id",
  validateSearch: tabSearch(kinds.prompt_dataset.tabs),
  loader: ({ params: { id } }) => ensure(query("getPromptDataset", { path: { id } })),
  component: lazyRouteComponent(() => import("./page.tsx")),
  errorComponent: (props) => <EntityError type="prompt_dataset" {...props} />,
});

export const routes = [list, page] as const;

declare module "../../shell/project-route.tsx" {
  interface ProjectRoutes {
    "prompt-datasets": typeof routes;
  }
}
