import { type ReactNode, useState } from "react";
import type { BatchRequest } from "../../api.ts";
import { explain } from "../../explain.ts";
import { Review, type ReviewProps } from "../../saving/review.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { toast } from "../../ui/toast.tsx";

type Props = {
  noun: string;
  name: string;
  /** Why the fields could not be read. */
  error: Error | null;
  /** The request that saves the edits. Undefined without edits. */
  write: BatchRequest | undefined;
  inWords: ReviewProps["inWords"];
  /** Reads the fields again, since someone else changed them. */
  onOvertaken: () => void;
  onSaved: () => void;
  onClose: () => void;
  /** The fields, once they are read. */
  children: ReactNode;
};

/** A dialog with fields to edit, and the review of the changes before they are saved. Edits stay if someone else saves first. */
export function EditDialog({ noun, name, error, write, inWords, onOvertaken, onSaved, onClose, children }: Props) {
  const [reviewed, setReviewed] = useState<BatchRequest>();
  const [isOvertaken, setOvertaken] = useState(false);
  if (reviewed !== undefined)
    return (
      <Review
        title={`Review changes to ${name}`}
        write={[reviewed]}
        inWords={inWords}
        isTargeting={false}
        onClose={() => setReviewed(undefined)}
        onRequested={onClose}
        onConflict={() => {
          setReviewed(undefined);
          setOvertaken(true);
          onOvertaken();
        }}
        onSaved={() => {
          onClose();
          onSaved();
          toast({ text: `Saved the ${noun}` });
        }}
      />
    );
  return (
    <Dialog
      title={`Edit ${name}`}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button look="primary" onPress={() => setReviewed(write)} disabledReason={write === undefined ? "No changes yet." : undefined}>
            Review
          </Button>
        </>
      }
    >
      <div className="stack">
        {error && <Notice tone="bad">{explain(error)}</Notice>}
        {isOvertaken && <Notice tone="warn">Someone else saved changes. Fields you haven’t edited show their values.</Notice>}
        {children}
      </div>
    </Dialog>
  );
}
