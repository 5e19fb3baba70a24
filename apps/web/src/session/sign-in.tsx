import { type FormEvent, useState } from "react";
import { Form } from "react-aria-components";
import { ConsoleApiError, call } from "../api.ts";
import { explain } from "../explain.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import type { Account } from "./account.ts";
import { EmailField, PasswordField } from "./password-fields.tsx";
import styles from "./session.module.css";

/** E-mail and password. @param email whose session ended: then only they can sign in */
export function SignInForm({ email, onSignedIn }: { email?: string; onSignedIn: (account: Account) => void }) {
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    setPending(true);
    setError(undefined);
    try {
      const { data } = await call("createSession", {
        body: { email: String(given.get("email")), password: String(given.get("password")) },
      });
      onSignedIn(data);
    } catch (thrown) {
      setError(thrown);
    } finally {
      setPending(false);
    }
  };
  return (
    <Form className={styles.form ?? ""} onSubmit={send}>
      {error !== undefined && <Notice tone="bad">{explainFailure(error)}</Notice>}
      <EmailField {...(email !== undefined && { value: email })} />
      <PasswordField isNew={false} />
      <Button type="submit" look="primary" isPending={isPending}>
        Sign in
      </Button>
    </Form>
  );
}

function explainFailure(error: unknown): string {
  if (error instanceof ConsoleApiError && error.status === 401) return "E-mail or password is wrong.";
  return explain(error);
}
