import { type ReactNode, useId } from "react";
import { Form } from "react-aria-components";
import { explain } from "../explain.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Notice } from "../ui/notice.tsx";

type Props = {
  title: string;
  /** The button that sends the form. */
  label: string;
  width?: "narrow" | "wide";
  /** Why the form can't be sent yet; undefined if it can. */
  disabledReason?: string | undefined;
  isPending: boolean;
  /** Why the server refused it. Fields show their own parts of it. */
  error: unknown;
  onSubmit: () => Promise<void>;
  onClose: () => void;
  children: ReactNode;
};

/** A form in a dialog: the Enter key and its button send it. */
export function FormDialog({ title, label, width = "narrow", disabledReason, isPending, error, onSubmit, onClose, children }: Props) {
  const form = useId();
  return (
    <Dialog
      title={title}
      width={width}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form={form} isPending={isPending} disabledReason={disabledReason}>
            {label}
          </Button>
        </>
      }
    >
      <Form
        id={form}
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void onSubmit();
        }}
      >
        {error !== undefined && <Notice tone="bad">{explain(error)}</Notice>}
        {children}
      </Form>
    </Dialog>
  );
}
