import { Suspense } from "react";
import type { Account } from "../session/account.ts";
import { soonDialog } from "../ui/soon.tsx";
import { Toasts } from "../ui/toast.tsx";

const SignInAgain = soonDialog(() => import("./sign-in-again.tsx"));

type Props = {
  /** Whose session has ended in the middle. */
  ended: Account["person"] | undefined;
  onSignedIn: (account: Account) => void;
};

/** What stands above pages. */
export default function Overlays({ ended, onSignedIn }: Props) {
  return (
    <>
      <Suspense>{ended !== undefined && <SignInAgain person={ended} onSignedIn={onSignedIn} />}</Suspense>
      <Toasts />
    </>
  );
}
