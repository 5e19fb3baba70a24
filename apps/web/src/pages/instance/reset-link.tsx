import type { Answer } from "../../api.ts";
import { Button } from "../../ui/button.tsx";
import { Snippet } from "../../ui/copy.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { moment } from "../../ui/time-text.ts";

/** A link with which a person sets a password. The server cannot show it again. */
export function ResetLink({ reset, onClose }: { reset: Answer<"createPasswordReset">["data"]; onClose: () => void }) {
  const { email, url, expiresAt, isEmailed } = reset;
  return (
    <Dialog
      title="The password reset"
      isOpen
      onClose={onClose}
      isDemanding={!isEmailed}
      actions={
        <Button look="primary" onPress={onClose}>
          {isEmailed ? "Done" : "I have copied the link"}
        </Button>
      }
    >
      {isEmailed ? (
        <Notice tone="good" title={`We’re emailing the link to ${email}`}>
          It works once, with their address only, and replaces earlier links. If the email doesn’t arrive, send the person this link.
        </Notice>
      ) : (
        <Notice tone="warn" title="This link is shown only now">
          Send this link to the person. It works once, with their address only, and replaces earlier links.
        </Notice>
      )}
      <Snippet label={`Link for ${email}`} text={url ?? ""} />
      {expiresAt !== null && <p>It works until {moment(expiresAt)}. Setting a new password ends their sessions.</p>}
    </Dialog>
  );
}
