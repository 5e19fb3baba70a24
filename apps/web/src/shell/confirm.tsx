import { type ReactNode, useState } from "react";
import { explain } from "../explain.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Notice } from "../ui/notice.tsx";
import { toast } from "../ui/toast.tsx";
import { useUnreadReason } from "../ui/unread.ts";

type Props = {
  title: string;
  /** The button that confirms. */
  label: string;
  /** The button that does not. */
  backLabel?: string;
  isDangerous?: boolean;
  /** Why it can't be confirmed yet; undefined if it can. */
  disabledReason?: string | undefined;
  /** Shown once it is done. */
  done: string;
  act: () => Promise<unknown>;
  /** Reads again what may have changed. A refused step often means that somebody else took another one. */
  onSettled: () => unknown;
  onClose: () => void;
  /** Says why it was refused, in other words than `explain`. */
  explainRefusal?: (error: unknown) => ReactNode;
  /** Its consequences, and fields such as a note. */
  children: ReactNode;
};

/** Asks for confirmation before a step is taken, and shows why it was refused. */
export function Confirm(props: Props) {
  const { title, label, backLabel = "Back", isDangerous = false, disabledReason, done, act, onSettled, onClose, children } = props;
  const { explainRefusal = explain } = props;
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();
  const unread = useUnreadReason();
  const confirm = async () => {
    setPending(true);
    setError(undefined);
    try {
      await act();
      toast({ text: done });
      onClose();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setPending(false);
      void onSettled();
    }
  };
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{backLabel}</Button>
          <Button
            look={isDangerous ? "danger" : "primary"}
            isPending={isPending}
            onPress={confirm}
            disabledReason={disabledReason ?? unread}
          >
            {label}
          </Button>
        </>
      }
    >
      {error !== undefined && <Notice tone="bad">{explainRefusal(error)}</Notice>}
      {children}
    </Dialog>
  );
}
