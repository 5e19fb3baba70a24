import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ensure, instanceQuery } from "../../api.ts";
import { projectRoute } from "../../shell/project-route.tsx";

const page = createRoute({
  getParentRoute: () => projectRoute,
  path: "account",
  loader: () => ensure(instanceQuery("listSessions")),
  component: lazyRouteComponent(() => import("./page.tsx")),
});

export const accountRoutes = [page] as const;
