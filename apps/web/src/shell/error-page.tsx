import { Link, useRouter } from "@tanstack/react-router";
import { ConsoleApiError } from "../api.ts";
import { explain } from "../explain.ts";
import buttons from "../ui/button.module.css";
import { Page } from "./page.tsx";

/** Takes the place of a page that cannot be shown. */
export function ErrorPage({ error, reset }: { error: unknown; reset?: () => void }) {
  const router = useRouter();
  const status = error instanceof ConsoleApiError ? error.status : undefined;
  const isForbiddenHere = isOfAddress(error);
  const title = isForbiddenHere
    ? "You can’t sign in from here"
    : status === 403
      ? "You don’t have access"
      : status === 404
        ? "Not found"
        : "This page can’t be shown";
  const retry = () => {
    reset?.();
    void router.invalidate();
  };
  return (
    <Page title={title}>
      <p>{explain(error)}</p>
      <div>
        {(status === 403 && !isForbiddenHere) || status === 404 ? (
          <Link to="/">Go to Home</Link>
        ) : (
          // The entry has no component library, which comes with the first page.
          <button type="button" className={`${buttons.button} ${buttons.default}`} onClick={retry}>
            Try again
          </button>
        )}
      </div>
    </Page>
  );
}

/** Whether the operator doesn’t allow the console to be used from this browser’s address. Pages of other sites don’t get this far. */
function isOfAddress(error: unknown): boolean {
  return error instanceof ConsoleApiError && error.status === 403 && ["getSession", "getSignInMethods"].includes(error.operationId);
}

export function NotFoundPage() {
  return (
    <Page title="Page not found">
      <p>Check the address. It may belong to a project that you don’t have access to.</p>
      <div>
        <Link to="/">Go to Home</Link>
      </div>
    </Page>
  );
}
