import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ensure, query } from "../../api.ts";
import { projectRoute } from "../../shell/project-route.tsx";
import { eventListRequest, eventListSearch, eventPageRequest, eventPageSearch } from "./search.ts";

const list = createRoute({
  getParentRoute: () => projectRoute,
  path: "events",
  validateSearch: eventListSearch,
  loaderDeps: ({ search: { search } }) => (search === undefined ? {} : { search }),
  loader: ({ deps }) => ensure(query("listEvents", eventListRequest(deps))),
  component: lazyRouteComponent(() => import("./list.tsx")),
});

const page = createRoute({
  getParentRoute: () => projectRoute,
  path: "events/$name",
  validateSearch: eventPageSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ params: { name }, deps }) =>
    Promise.all([
      ensure(query("getEventCounts", { path: { eventName: name } })),
      ensure(query("listEventValues", eventPageRequest(name, deps))),
    ]),
  component: lazyRouteComponent(() => import("./page.tsx")),
});

export const routes = [list, page] as const;

declare module "../../shell/project-route.tsx" {
  interface ProjectRoutes {
    events: typeof routes;
  }
}
