// The routes that all others are below.
import { createRootRoute, createRoute, lazyRouteComponent, notFound, redirect, retainSearchParams } from "@tanstack/react-router";
import { currentProjectID, ensure, enterProject, query } from "../api.ts";
import { accountQuery, isSignedOut } from "../session/account.ts";
import { ErrorPage, NotFoundPage } from "./error-page.tsx";
import { Root } from "./root.tsx";

export const rootRoute = createRootRoute({ component: Root, errorComponent: ErrorPage, notFoundComponent: NotFoundPage });

/** The signed-in person. If the session or a required second factor is missing, redirects to the page for it, which leads back. */
export async function requireAccount(href: string) {
  try {
    const { data } = await ensure(accountQuery());
    if (data.mustSetUpSecondFactor) throw redirect({ to: "/second-factor", search: { next: href } });
    return data;
  } catch (error) {
    if (isSignedOut(error)) throw redirect({ to: "/sign-in", search: { next: href } });
    throw error;
  }
}

/** A text of an address; undefined if it has none. */
export const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

export const projectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/projects/$projectID",
  validateSearch: (search: Record<string, unknown>): { environment?: string } => {
    const environment = text(search.environment);
    return environment === undefined ? {} : { environment };
  },
  search: { middlewares: [retainSearchParams(["environment"])] },
  beforeLoad: async ({ params, location, preload }) => {
    const { projects } = await requireAccount(location.href);
    // Only what is opened enters its project: the page whose link is merely pointed at goes on with its own.
    if (preload ? params.projectID !== currentProjectID() : !projects.some(({ id }) => id === params.projectID)) throw notFound();
    enterProject(params.projectID);
  },
  loader: () => ensure(query("getEnvironments")),
  component: lazyRouteComponent(() => import("./shell.tsx"), "Shell"),
});

/** The routes below a project. The folder of each page declares its own. */
// biome-ignore lint/suspicious/noEmptyInterface: the folders of pages extend it.
export interface ProjectRoutes {}
