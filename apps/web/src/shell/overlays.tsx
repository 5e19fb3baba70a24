import { Suspense } from "react";
import type { Account } from "../session/account.ts";
import { soonDialog } from "../ui/soon.tsx";
import { Toasts } from "../ui/toast.tsx";

const SignInAgain = soonDialog(() => import("./sign-in-again.tsx"));

type Props = {
  /** The person whose session has expired while they worked. */
  ended: Account["person"] | undefined;
  onSignedIn: (account: Account) => void;
};

/** The sign-in dialog and toasts above pages. */
export default function Overlays({ ended, onSignedIn }: Props) {
  return (
    <>
      <Suspense>{ended !== undefined && <SignInAgain person={ended} onSignedIn={onSignedIn} />}</Suspense>
      <Toasts />
    </>
  );
}
