// The whole route tree: one place to see every address. A page's address holds its state, and its loader fills the cache.
import { createRoute, createRouter, type LocationRewrite, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { ensure, enterProject, instanceQuery, query } from "./api.ts";
import { BASE_PATH } from "./base-path.ts";
import { accountQuery, isPermitted, isSignedOut } from "./session/account.ts";
import { takeNext } from "./session/next-address.ts";
import { ErrorPage, NotFoundPage } from "./shell/error-page.tsx";
import { PageLoading } from "./shell/page-loading.tsx";
import { type ProjectRoutes, projectRoute, requireAccount, rootRoute, text } from "./shell/project-route.tsx";

/** The address to continue at. Only addresses of this console are allowed: `//host` would lead to another site. */
const nextSearch = (search: Record<string, unknown>): { next?: string } => {
  const next = text(search.next);
  return next !== undefined && /^\/(?![/\\])/.test(next) ? { next } : {};
};

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: nextSearch,
  loader: () => ensure(instanceQuery("getSignInMethods")),
  component: lazyRouteComponent(() => import("./session/sign-in-page.tsx")),
});

/** The page for people who have to set up a second factor first. */
const secondFactorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/second-factor",
  validateSearch: nextSearch,
  beforeLoad: async ({ search: { next = "/" } }) => {
    const { data } = await ensure(accountQuery()).catch((error: unknown) => {
      throw isSignedOut(error) ? redirect({ to: "/sign-in", search: { next } }) : error;
    });
    if (!data.mustSetUpSecondFactor) throw redirect({ href: BASE_PATH + next, replace: true });
  },
  loader: () => ensure(instanceQuery("getSecondFactors")),
  component: lazyRouteComponent(() => import("./session/second-factor-page.tsx")),
});

const welcomeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/welcome",
  component: lazyRouteComponent(() => import("./session/welcome-page.tsx")),
});

const deviceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/device",
  beforeLoad: ({ location }) => requireAccount(location.href),
  component: lazyRouteComponent(() => import("./session/device-page.tsx")),
});

/** Whether no application has reported anything yet to a project for which the person can make a key. */
async function isUntouched(): Promise<boolean> {
  if (!(await isPermitted("manage_keys"))) return false;
  const { pagination } = await ensure(query("listEvents", { query: { limit: 1 } }));
  return pagination.totalItems === 0;
}

const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  beforeLoad: async ({ location }) => {
    const { defaultProjectID } = await requireAccount(location.href);
    const next = takeNext();
    if (next !== undefined) throw redirect({ href: BASE_PATH + next, replace: true });
    if (defaultProjectID === null) return;
    enterProject(defaultProjectID);
    const to = (await isUntouched()) ? "/projects/$projectID/start" : "/projects/$projectID";
    throw redirect({ to, params: { projectID: defaultProjectID }, replace: true });
  },
  component: lazyRouteComponent(() => import("./session/no-project-page.tsx")),
});

/** Addresses without a project lead to the person's default project. */
const shortGateRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/gates/$id",
  beforeLoad: async ({ location, params: { id } }) => {
    const { defaultProjectID } = await requireAccount(location.href);
    const next = takeNext();
    if (next !== undefined) throw redirect({ href: BASE_PATH + next, replace: true });
    if (defaultProjectID === null) throw redirect({ to: "/", replace: true });
    throw redirect({ to: "/projects/$projectID/gates/$id", params: { projectID: defaultProjectID, id }, replace: true });
  },
});

/** The routes of each folder in `pages/`, whose types the folder adds to `ProjectRoutes`. */
const folders = import.meta.glob<{ routes: ProjectRoutes[keyof ProjectRoutes] }>("./pages/*/routes.tsx", { eager: true });

const routeTree = rootRoute.addChildren([
  signInRoute,
  secondFactorRoute,
  welcomeRoute,
  deviceRoute,
  startRoute,
  shortGateRoute,
  projectRoute.addChildren(Object.values(folders).flatMap(({ routes }) => [...routes])),
]);

/** Keeps the base path out of the router's addresses. The router's own `basepath` leaves it in those of built locations. */
const belowBasePath: LocationRewrite = {
  input({ url }) {
    if (url.pathname.startsWith(`${BASE_PATH}/`)) url.pathname = url.pathname.slice(BASE_PATH.length);
    return url;
  },
  output: ({ url }) => new URL(BASE_PATH + url.href.slice(url.origin.length), url.origin),
};

export const router = createRouter({
  routeTree,
  ...(BASE_PATH !== "" && { rewrite: belowBasePath }),
  defaultPreload: "intent",
  defaultPreloadStaleTime: 0,
  defaultPendingComponent: PageLoading,
  defaultErrorComponent: ErrorPage,
  defaultNotFoundComponent: NotFoundPage,
  scrollRestoration: true,
  // Parameters that are unknown or refused by the page are dropped from the address.
  search: { strict: true },
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
