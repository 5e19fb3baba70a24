import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ensure, query } from "../../api.ts";
import { EntityError } from "../../entity/entity-error.tsx";
import { tabSearch } from "../../entity/plain-list-search.ts";
import { kinds } from "../../kinds/kinds.ts";
import { projectRoute } from "../../shell/project-route.tsx";
import { teamListRequest, teamListSearch } from "./list-search.ts";

const list = createRoute({
  getParentRoute: () => projectRoute,
  path: "teams",
  validateSearch: teamListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(query("listTeams", teamListRequest(deps))),
  component: lazyRouteComponent(() => import("./list.tsx")),
});

const page = createRoute({
  getParentRoute: () => projectRoute,
  path: "teams/$id",
  validateSearch: tabSearch(kinds.team.tabs),
  loader: ({ params: { id } }) => ensure(query("getTeam", { path: { id } })),
  component: lazyRouteComponent(() => import("./page.tsx")),
  errorComponent: (props) => <EntityError type="team" {...props} />,
});

export const routes = [list, page] as const;

declare module "../../shell/project-route.tsx" {
  interface ProjectRoutes {
    teams: typeof routes;
  }
}
