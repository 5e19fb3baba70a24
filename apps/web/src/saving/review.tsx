import { type ReactNode, Suspense } from "react";
import type { Changes, ConsoleApiError, Write } from "../api.ts";
import type { DescribedEntity } from "../targeting/changes.ts";
import { soonDialog } from "../ui/soon.tsx";

export type ReviewProps = {
  title: string;
  write: Write;
  /** The write as the review shows it, if it has what nobody should see again, such as a password. */
  shown?: Write;
  /** The server's changes in words. */
  inWords: (changes: Changes) => DescribedEntity[];
  /** Where users may get something else, in words. */
  environments?: string;
  /** Whether the write can change what users get, so that their values are compared. */
  isTargeting?: boolean;
  /** Beside the changes, such as who else reads the entity. */
  children?: ReactNode;
  /** What the reader can choose about the write, also while the server refuses it. */
  choices?: ReactNode;
  saveLabel?: string;
  /** Why it cannot be saved yet, whatever the check says. */
  disabledReason?: string | undefined;
  onClose: () => void;
  onSaved: (answers: readonly { body?: unknown }[]) => void;
  /** Somebody else saved since the draft began. Nothing was stored. */
  onConflict: () => void;
  conflictLabel?: string;
  /** What the server refuses, to mark it in the page. */
  onRefused?: (error: ConsoleApiError) => void;
};

const ReviewDialog = soonDialog(() => import("./review-dialog.tsx"));

/** What a save would do, before anything is stored. */
export function Review(props: ReviewProps) {
  return (
    <Suspense>
      <ReviewDialog {...props} />
    </Suspense>
  );
}
