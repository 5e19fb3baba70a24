import { useQueryErrorResetBoundary } from "@tanstack/react-query";
import { CatchBoundary } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ConsoleApiError } from "../api.ts";
import { explain } from "../explain.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";

/** Shows why a tab can't be shown in place of it, and leaves the rest of the page and its draft. */
export function TabBoundary({ tab, children }: { tab: string; children: ReactNode }) {
  return (
    <CatchBoundary getResetKey={() => tab} errorComponent={TabError}>
      {children}
    </CatchBoundary>
  );
}

/** Shows why a part of a page can't be shown in place of it. The rest of the page and its draft stay. */
export function PartBoundary({ children }: { children: ReactNode }) {
  return (
    <CatchBoundary getResetKey={() => "part"} errorComponent={PartError}>
      {children}
    </CatchBoundary>
  );
}

const TabError = (failure: Failure) => <DataError title="This tab can’t be shown" {...failure} />;
const PartError = (failure: Failure) => <DataError title="This part of the page can’t be shown" {...failure} />;

type Failure = { error: unknown; reset: () => void };

function DataError({ title, error, reset }: Failure & { title: string }) {
  const queries = useQueryErrorResetBoundary();
  const retry = () => {
    queries.reset();
    reset();
  };
  return (
    <Notice tone="bad" title={title} actions={<Button onPress={retry}>Try again</Button>}>
      {error instanceof ConsoleApiError ? explain(error) : "Couldn’t load this part of the page."} Your unsaved changes are kept.
    </Notice>
  );
}
