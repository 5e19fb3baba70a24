import { type ReactNode, Suspense } from "react";
import type { Changes, ConsoleApiError, Write } from "../api.ts";
import type { DescribedEntity } from "../targeting/changes.ts";
import { soonDialog } from "../ui/soon.tsx";

export type ReviewProps = {
  title: string;
  write: Write;
  /** The write as the review shows it, without secrets such as a password. */
  shown?: Write;
  /** The server's changes in words. */
  inWords: (changes: Changes) => DescribedEntity[];
  /** Environments where users may get something else, in words. A function says so of the server's changes. */
  environments?: string | ((changes: Changes) => readonly string[]);
  /** Whether the write can change users' values, so that these are compared. */
  isTargeting?: boolean;
  /** Beside the changes, such as who else reads the entity. */
  children?: ReactNode;
  /** Choices of the reader about the write, available even if the server refuses it. */
  choices?: ReactNode;
  saveLabel?: string;
  /** The reason why it cannot be saved yet, regardless of the check. */
  disabledReason?: string | undefined;
  onClose: () => void;
  /** The dialog stays until what it returns is done. */
  onSaved: (answers: readonly { body?: unknown; etag?: string }[]) => void | Promise<void>;
  /** Called when the write is scheduled for a later time. Without it, writes can't be scheduled. */
  onScheduled?: () => void;
  /** Called when the write is stored as a review, which has its content from then on. Without it, the dialog closes as if it was scheduled. */
  onRequested?: () => void;
  /** Someone saved since the draft began, so this write was not stored. */
  onConflict: () => void;
  conflictLabel?: string;
  /** Marks the server's refusals in the page. */
  onRefused?: (error: ConsoleApiError) => void;
};

const ReviewDialog = soonDialog(() => import("./review-dialog.tsx"));

/** The effect of a save, before it is stored. */
export function Review(props: ReviewProps) {
  return (
    <Suspense>
      <ReviewDialog {...props} />
    </Suspense>
  );
}
