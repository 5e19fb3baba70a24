import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ensure, query } from "../../api.ts";
import { accountQuery } from "../../session/account.ts";
import { projectRoute } from "../../shell/project-route.tsx";
import { pageRequest, pageSearch } from "./page-search.ts";

const list = createRoute({
  getParentRoute: () => projectRoute,
  path: "reviews",
  validateSearch: pageSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => {
    const { person } = (await ensure(accountQuery())).data;
    return ensure(query("listReviews", pageRequest(deps, person.id)));
  },
  component: lazyRouteComponent(() => import("./list.tsx")),
});

const page = createRoute({
  getParentRoute: () => projectRoute,
  path: "reviews/$id",
  loader: ({ params: { id } }) => ensure(query("getReview", { path: { id } })),
  component: lazyRouteComponent(() => import("./page.tsx")),
});

export const routes = [list, page] as const;

declare module "../../shell/project-route.tsx" {
  interface ProjectRoutes {
    reviews: typeof routes;
  }
}
