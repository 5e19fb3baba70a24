import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ensure, query } from "../../api.ts";
import { membersRequest } from "../../session/members.ts";
import { projectRoute } from "../../shell/project-route.tsx";
import { peopleSearch } from "./page-search.ts";

const page = createRoute({
  getParentRoute: () => projectRoute,
  path: "people",
  validateSearch: peopleSearch,
  loader: () => ensure(query("listUsers", membersRequest)),
  component: lazyRouteComponent(() => import("./page.tsx")),
});

export const routes = [page] as const;

declare module "../../shell/project-route.tsx" {
  interface ProjectRoutes {
    people: typeof routes;
  }
}
