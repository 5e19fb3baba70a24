import { useParams, useRouter } from "@tanstack/react-router";
import { Suspense } from "react";
import { ConsoleApiError } from "../api.ts";
import type { RestorableType } from "../kinds/kinds.ts";
import { ErrorPage } from "../shell/error-page.tsx";
import { PageLoading } from "../shell/page-loading.tsx";
import { onDemand } from "../ui/soon.tsx";

const DeletedEntity = onDemand(() => import("./deleted-entity.tsx"));

type Props = { type: RestorableType; error: unknown; reset: () => void };

/** Takes the place of an entity's page that cannot be shown. If the entity was deleted, its history is there. */
export function EntityError({ type, error, reset }: Props) {
  const { id = "" } = useParams({ strict: false });
  const router = useRouter();
  const page = <ErrorPage error={error} reset={reset} />;
  if (!(error instanceof ConsoleApiError) || error.status !== 404) return page;
  return (
    <Suspense fallback={<PageLoading />}>
      <DeletedEntity key={id} type={type} id={id} otherwise={page} onRestored={() => void router.invalidate()} />
    </Suspense>
  );
}
