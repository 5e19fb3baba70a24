import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ensure, query } from "../../api.ts";
import { accountQuery } from "../../session/account.ts";
import { projectRoute } from "../../shell/project-route.tsx";
import {
  ALERTS,
  ANY,
  ANY_EXPERIMENT,
  NEEDED_REVIEWS,
  ownedBy,
  RELEASES,
  RUNNING,
  STALE_EXPERIMENTS,
  STALE_GATES,
  STOPPED,
} from "./requests.ts";

async function ensureOwn() {
  const { person } = (await ensure(accountQuery())).data;
  const own = ownedBy(person.id);
  return Promise.all([ensure(query("listGates", own)), ensure(query("listDynamicConfigs", own)), ensure(query("listExperiments", own))]);
}

const page = createRoute({
  getParentRoute: () => projectRoute,
  path: "/",
  loader: () =>
    Promise.all([
      ensure(query("listGates", ANY)),
      ensure(query("listDynamicConfigs", ANY)),
      ensure(query("listGates", STALE_GATES)),
      ensure(query("listAlerts", ALERTS)),
      ensure(query("listReviews", NEEDED_REVIEWS)),
      ensure(query("listReleases", RELEASES)),
      ensureOwn(),
      ...[ANY_EXPERIMENT, RUNNING, STOPPED, STALE_EXPERIMENTS].map((request) => ensure(query("listExperiments", request))),
    ]),
  component: lazyRouteComponent(() => import("./page.tsx")),
});

export const routes = [page] as const;

declare module "../../shell/project-route.tsx" {
  interface ProjectRoutes {
    home: typeof routes;
  }
}
