import { type FormEvent, useState } from "react";
import { Form } from "react-aria-components";
import { call } from "../../api.ts";
import { violationsByPlace } from "../../explain.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { explainPasskey, registerPasskey } from "../passkeys.ts";
import { parseUserAgent } from "../user-agent.ts";
import styles from "./factors.module.css";

/** Creates a passkey with a name. */
export default function NewPasskeyDialog({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("name"));
    setPending(true);
    setError(undefined);
    try {
      const passkey = await registerPasskey((await call("startPasskeyCreation")).data);
      await call("createPasskey", { body: { name, passkey } });
      onDone();
    } catch (thrown) {
      setError(thrown);
      setPending(false);
    }
  };
  const fault = violationsByPlace(error).get("name");
  return (
    <Dialog title="Create a passkey" isOpen onClose={onClose}>
      <Form className={styles.form ?? ""} onSubmit={(event) => void send(event)}>
        <p>A passkey signs you in with your fingerprint, your face, your device's PIN or a security key. You won't need your password.</p>
        {error !== undefined && fault === undefined && <Notice tone="bad">{explainPasskey(error)}</Notice>}
        <TextField
          label="Name"
          name="name"
          isRequired
          autoFocus
          maxLength={100}
          defaultValue={parseUserAgent(navigator.userAgent)}
          description="A name to tell your passkeys apart."
          error={fault}
        />
        <div>
          <Button type="submit" look="primary" isPending={isPending}>
            Create passkey
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
