import { Button } from "../ui/button.tsx";
import { Snippet } from "../ui/copy.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Notice } from "../ui/notice.tsx";

type Props = { title: string; secret: string; children?: string | undefined; onClose: () => void };

/** A new key, which the server cannot show again. Only saying that it is copied closes the dialog. */
export function Secret({ title, secret, children, onClose }: Props) {
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      isDemanding
      actions={
        <Button look="primary" onPress={onClose}>
          I have copied it
        </Button>
      }
    >
      <Notice tone="warn">Copy the key now. You won’t be able to see it again.</Notice>
      <Snippet text={secret} label="Key" />
      {children !== undefined && <p>{children}</p>}
    </Dialog>
  );
}
