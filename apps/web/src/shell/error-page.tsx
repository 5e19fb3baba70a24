import { Link, useRouter } from "@tanstack/react-router";
import { ConsoleApiError } from "../api.ts";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/notice.tsx";
import { explain } from "./explain.ts";
import { useTitle } from "./page.tsx";

/** Takes the place of a page that cannot be shown. */
export function ErrorPage({ error, reset }: { error: unknown; reset?: () => void }) {
  const router = useRouter();
  const status = error instanceof ConsoleApiError ? error.status : undefined;
  const title = status === 403 ? "You may not see this" : status === 404 ? "This does not exist" : "This page cannot be shown";
  useTitle(title);
  const retry = () => {
    reset?.();
    void router.invalidate();
  };
  return (
    <Empty
      title={title}
      action={status === 403 || status === 404 ? <Link to="/">Go to the start</Link> : <Button onPress={retry}>Try again</Button>}
    >
      {explain(error)}
    </Empty>
  );
}

export function NotFoundPage() {
  useTitle("This page does not exist");
  return (
    <Empty title="This page does not exist" action={<Link to="/">Go to the start</Link>}>
      The address may be mistyped, or it belongs to a project that you cannot see.
    </Empty>
  );
}
