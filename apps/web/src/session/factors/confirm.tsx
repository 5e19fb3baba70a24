import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Form } from "react-aria-components";
import { call, instanceQuery, type WritableSchema } from "../../api.ts";
import { explain, violationsByPlace } from "../../explain.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { explainPasskey, hasPasskeys, signChallenge } from "../passkeys.ts";
import styles from "./factors.module.css";

/** Asks for the password or a passkey before second factors are changed. */
export default function ConfirmDialog({ onConfirmed, onClose }: { onConfirmed: () => void; onClose: () => void }) {
  const { data: factors } = useQuery(instanceQuery("getSecondFactors"));
  const [failure, setFailure] = useState<{ error: unknown; text: string }>();
  const [isPending, setPending] = useState(false);
  const confirm = async (prove: () => Promise<WritableSchema<"Confirmation">>, explainError: (error: unknown) => string) => {
    setPending(true);
    setFailure(undefined);
    try {
      await call("confirmSession", { body: await prove() });
      onConfirmed();
    } catch (error) {
      setFailure({ error, text: explainError(error) });
      setPending(false);
    }
  };
  const sendPassword = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const password = String(new FormData(event.currentTarget).get("password"));
    void confirm(async () => ({ password }), explain);
  };
  const sendPasskey = () => confirm(async () => ({ passkey: await signChallenge((await call("startConfirmation")).data) }), explainPasskey);
  const fault = violationsByPlace(failure?.error).get("password");
  return (
    <Dialog title="Confirm that it's you" isOpen onClose={onClose}>
      {failure !== undefined && fault === undefined && <Notice tone="bad">{failure.text}</Notice>}
      {(factors?.data.passkeys.length ?? 0) > 0 && hasPasskeys() && (
        <Button isPending={isPending} onPress={() => void sendPasskey()}>
          Use a passkey
        </Button>
      )}
      <Form className={styles.form ?? ""} onSubmit={sendPassword}>
        <TextField label="Password" name="password" type="password" isRequired autoFocus autoComplete="current-password" error={fault} />
        <div>
          <Button type="submit" look="primary" isPending={isPending}>
            Confirm
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
