import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ensure, query } from "../../api.ts";
import { ownerListSearch, plainListRequest, tabSearch } from "../../entity/plain-list-search.ts";
import { kinds } from "../../kinds/kinds.ts";
import { projectRoute } from "../../shell/project-route.tsx";
import { numberIn, withoutAbsent } from "../../shell/search-values.ts";

const list = createRoute({
  getParentRoute: () => projectRoute,
  path: "prompts",
  validateSearch: ownerListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listPrompts", plainListRequest(deps))),
  component: lazyRouteComponent(() => import("./list.tsx")),
});

const page = createRoute({
  getParentRoute: () => projectRoute,
  path: "prompts/$id",
  validateSearch: tabSearch(kinds.prompt.tabs),
  loader: ({ params: { id } }) => ensure(query("getPrompt", { path: { id } })),
  component: lazyRouteComponent(() => import("./page.tsx")),
});

const evaluation = createRoute({
  getParentRoute: () => projectRoute,
  path: "prompts/$id/evaluations/$evaluationID",
  validateSearch: (search: Record<string, unknown>) => withoutAbsent({ page: numberIn(search, "page", { min: 1, max: 1_000 }) }),
  loader: ({ params: { id, evaluationID } }) => ensure(query("getPromptEvaluation", { path: { id, evaluationID } })),
  component: lazyRouteComponent(() => import("./evaluation-page.tsx")),
});

export const routes = [list, page, evaluation] as const;

declare module "../../shell/project-route.tsx" {
  interface ProjectRoutes {
    prompts: typeof routes;
  }
}
