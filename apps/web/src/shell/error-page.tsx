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
      ? "You may not see this"
      : status === 404
        ? "This does not exist"
        : "This page cannot be shown";
  const retry = () => {
    reset?.();
    void router.invalidate();
  };
  return (
    <Page title={title}>
      <p>{explain(error)}</p>
      <div>
        {(status === 403 && !isForbiddenHere) || status === 404 ? (
          <Link to="/">Go to the start</Link>
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
    <Page title="This page does not exist">
      <p>The address may be mistyped, or it belongs to a project that you cannot see.</p>
      <div>
        <Link to="/">Go to the start</Link>
      </div>
    </Page>
  );
}
