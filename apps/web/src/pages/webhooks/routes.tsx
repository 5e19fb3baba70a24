import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { ensure, query } from "../../api.ts";
import { EntityError } from "../../entity/entity-error.tsx";
import { tabSearch } from "../../entity/plain-list-search.ts";
import { kinds } from "../../kinds/kinds.ts";
import { isPermitted } from "../../session/account.ts";
import { projectRoute } from "../../shell/project-route.tsx";
import { LIST } from "./reads.ts";

const list = createRoute({
  getParentRoute: () => projectRoute,
  path: "webhooks",
  loader: async () => ((await isPermitted("edit_project_settings")) ? ensure(query("listWebhooks", LIST)) : undefined),
  component: lazyRouteComponent(() => import("./list.tsx")),
});

const page = createRoute({
  getParentRoute: () => projectRoute,
  path: "webhooks/$id",
  validateSearch: tabSearch(kinds.webhook.tabs),
  loader: ({ params: { id } }) => ensure(query("getWebhook", { path: { id } })),
  component: lazyRouteComponent(() => import("./page.tsx")),
  errorComponent: (props) => <EntityError type="webhook" {...props} />,
});

export const routes = [list, page] as const;

declare module "../../shell/project-route.tsx" {
  interface ProjectRoutes {
    webhooks: typeof routes;
  }
}
