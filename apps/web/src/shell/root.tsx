import { Outlet, useRouter } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { I18nProvider, RouterProvider } from "react-aria-components";
import { LOCALE } from "../ui/locale.ts";
import { RouteAnnouncer } from "./route-announcer.tsx";

/** What stands above pages. Each page is there before it. */
const Overlays = lazy(() => import("./overlays.tsx"));

export function Root() {
  const router = useRouter();
  return (
    <I18nProvider locale={LOCALE}>
      <RouterProvider navigate={(href) => void router.navigate({ href })}>
        <Outlet />
        <RouteAnnouncer />
        <Suspense>
          <Overlays />
        </Suspense>
      </RouterProvider>
    </I18nProvider>
  );
}
