import { Outlet, useRouter } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { I18nProvider, RouterProvider } from "react-aria-components";
import { onReviewRequested, onSessionEnd, queryClient, type Schema } from "../api.ts";
import { BASE_PATH } from "../base-path.ts";
import { type Account, accountQuery } from "../session/account.ts";
import { LOCALE } from "../ui/locale.ts";
import { onDemand } from "../ui/soon.tsx";
import { RouteAnnouncer } from "./route-announcer.tsx";

/** The public form of an address of the router. */
const withBasePath = (href: string) => BASE_PATH + href;

/** Dialogs and toasts above pages. Each page shows before them. */
const Overlays = onDemand(() => import("./overlays.tsx"));

export function Root() {
  const router = useRouter();
  // Here rather than in the overlays, since a session may end before they have loaded.
  const [ended, setEnded] = useState<Account["person"]>();
  useEffect(
    () =>
      onSessionEnd(() => {
        // Without an account, no person is kept: the routes lead to the sign-in page.
        const account = queryClient.getQueryData(accountQuery().queryKey);
        if (account) setEnded(account.data.person);
      }),
    [],
  );
  const [requested, setRequested] = useState<Schema<"Review">>();
  useEffect(() => onReviewRequested(setRequested), []);
  const onSignedIn = (account: Account) => {
    queryClient.setQueryData(accountQuery().queryKey, (known) => known && { ...known, data: account });
    setEnded(undefined);
    void queryClient.invalidateQueries();
  };
  return (
    <I18nProvider locale={LOCALE}>
      <RouterProvider navigate={(href) => void router.navigate({ href: withBasePath(href) })} useHref={withBasePath}>
        <Outlet />
        <RouteAnnouncer />
        <Suspense>
          <Overlays ended={ended} onSignedIn={onSignedIn} requested={requested} onRequestSeen={() => setRequested(undefined)} />
        </Suspense>
      </RouterProvider>
    </I18nProvider>
  );
}
