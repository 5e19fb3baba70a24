import { useBlocker } from "@tanstack/react-router";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { useUnreadReason } from "../ui/unread.ts";
import styles from "./saving.module.css";

type Props = {
  /** The number of unsaved differences. The bar is hidden without any. */
  count: number;
  onReview: () => void;
  /** Save, for changes without a review because they concern no one else. */
  label?: string;
  onDiscard: () => void;
  /** Whether someone else saved since the edits began. */
  isBehind: boolean;
  /** The faults of the draft, if they keep it from being reviewed. */
  disabledReason?: string | undefined;
};

/** One rule of saving on all pages: edits collect in a draft, and this bar reviews or discards them. Leaving the page asks first. */
export function SaveBar({ count, onReview, label = "Review", onDiscard, isBehind, disabledReason }: Props) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => count > 0 && current.pathname !== next.pathname,
    enableBeforeUnload: count > 0,
    withResolver: true,
  });
  const unread = useUnreadReason();
  if (count === 0) return null;
  return (
    <>
      <section className={styles.bar} aria-label="Unsaved changes">
        <strong role="status">{count === 1 ? "1 change" : `${count} changes`}</strong>
        {isBehind && <span className={styles.behind}>Someone else just saved changes. Review to merge.</span>}
        <span className={styles.space} />
        <Button onPress={onDiscard}>Discard</Button>
        <Button look="primary" onPress={onReview} disabledReason={disabledReason ?? unread}>
          {label}
        </Button>
      </section>
      <Dialog
        title="Leave without saving?"
        isOpen={blocker.status === "blocked"}
        onClose={() => blocker.reset?.()}
        actions={
          <>
            <Button look="danger" onPress={() => blocker.proceed?.()}>
              Discard and leave
            </Button>
            <Button look="primary" onPress={() => blocker.reset?.()}>
              Stay
            </Button>
          </>
        }
      >
        <p>{count === 1 ? "1 change is" : `${count} changes are`} not saved.</p>
      </Dialog>
    </>
  );
}
