import { Outlet, useRouter } from "@tanstack/react-router";
import { RouterProvider } from "react-aria-components";
import { Toasts } from "../ui/toast.tsx";
import { RouteAnnouncer } from "./route-announcer.tsx";
import { SignInAgain } from "./sign-in-again.tsx";

export function Root() {
  const router = useRouter();
  return (
    <RouterProvider navigate={(href) => void router.navigate({ href })}>
      <Outlet />
      <RouteAnnouncer />
      <SignInAgain />
      <Toasts />
    </RouterProvider>
  );
}
