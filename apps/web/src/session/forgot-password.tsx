import { type FormEvent, useState } from "react";
import { Form } from "react-aria-components";
import { call } from "../api.ts";
import { explain } from "../explain.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { EmailField } from "./password-fields.tsx";
import styles from "./session.module.css";

/** Asks for an address, and lets the server email a password reset link there. */
export function ForgotPassword({ onBack }: { onBack: () => void }) {
  const [sentTo, setSentTo] = useState<string>();
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get("email"));
    setPending(true);
    setError(undefined);
    try {
      await call("requestPasswordReset", { body: { email } });
      setSentTo(email);
    } catch (thrown) {
      setError(thrown);
    } finally {
      setPending(false);
    }
  };
  return (
    <div className={styles.form}>
      {sentTo === undefined ? (
        <Form className={styles.form ?? ""} onSubmit={send}>
          {error !== undefined && <Notice tone="bad">{explain(error)}</Notice>}
          <p>Enter your email address to get a link that lets you set a new password.</p>
          <EmailField />
          <Button type="submit" look="primary" isPending={isPending}>
            Email me a link
          </Button>
        </Form>
      ) : (
        <Notice tone="good" title="Check your email">
          If <bdi>{sentTo}</bdi> belongs to an account with a password, we sent a link. It works for an hour.
        </Notice>
      )}
      <Button look="quiet" onPress={onBack}>
        Back to sign in
      </Button>
    </div>
  );
}
