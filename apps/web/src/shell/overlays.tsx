import { Suspense } from "react";
import type { Schema } from "../api.ts";
import type { Account } from "../session/account.ts";
import { soonDialog } from "../ui/soon.tsx";
import { Toasts } from "../ui/toast.tsx";

const ReviewRequested = soonDialog(() => import("./review-requested.tsx"));
const SignInAgain = soonDialog(() => import("./sign-in-again.tsx"));

type Props = {
  /** The person whose session has expired while they worked. */
  ended: Account["person"] | undefined;
  onSignedIn: (account: Account) => void;
  /** The reader's change that has just been stored as a review. */
  requested: Schema<"Review"> | undefined;
  onRequestSeen: () => void;
};

/** The sign-in dialog, the notice of a requested review, and toasts above pages. */
export default function Overlays({ ended, onSignedIn, requested, onRequestSeen }: Props) {
  return (
    <>
      <Suspense>{requested !== undefined && <ReviewRequested key={requested.id} review={requested} onClose={onRequestSeen} />}</Suspense>
      <Suspense>{ended !== undefined && <SignInAgain person={ended} onSignedIn={onSignedIn} />}</Suspense>
      <Toasts />
    </>
  );
}
