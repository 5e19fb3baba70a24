import { type FormEvent, useEffect, useState } from "react";
import { Form } from "react-aria-components";
import { type Answer, call } from "../../api.ts";
import { explain, violationsByPlace } from "../../explain.ts";
import { Button } from "../../ui/button.tsx";
import { Snippet } from "../../ui/copy.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Loading, Notice } from "../../ui/notice.tsx";
import styles from "./factors.module.css";
import { QrCode } from "./qr-code.tsx";

/** Shows the secret for an authenticator app, and confirms it by a code. */
export default function AuthenticatorAppDialog({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const [setup, setSetup] = useState<Answer<"startTotpSetup">["data"]>();
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  useEffect(() => {
    let isShown = true;
    call("startTotpSetup").then(
      ({ data }) => isShown && setSetup(data),
      (thrown) => isShown && setError(thrown),
    );
    return () => {
      isShown = false;
    };
  }, []);
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get("code"));
    setPending(true);
    setError(undefined);
    try {
      await call("confirmTotp", { body: { code } });
      onDone();
    } catch (thrown) {
      setError(thrown);
      setPending(false);
    }
  };
  const fault = violationsByPlace(error).get("code");
  return (
    <Dialog title="Set up an authenticator app" isOpen onClose={onClose}>
      {error !== undefined && fault === undefined && <Notice tone="bad">{explain(error)}</Notice>}
      {setup === undefined && error === undefined && <Loading label="Creating a secret" />}
      {setup !== undefined && (
        <Form className={styles.form ?? ""} onSubmit={(event) => void send(event)}>
          <p>Scan the QR code with your authenticator app, or type the secret into it. Then enter the code that the app shows.</p>
          <QrCode text={setup.uri} label="QR code for your authenticator app" />
          <Snippet label="Secret" text={setup.secret} />
          <TextField
            label="Code"
            name="code"
            isRequired
            autoFocus
            autoComplete="one-time-code"
            inputMode="numeric"
            description="The 6 digits in your app."
            error={fault}
          />
          <div>
            <Button type="submit" look="primary" isPending={isPending}>
              Confirm
            </Button>
          </div>
        </Form>
      )}
    </Dialog>
  );
}
