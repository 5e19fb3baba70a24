import { type FormEvent, useState } from "react";
import { Form } from "react-aria-components";
import { ConsoleApiError, call, type Schema } from "../api.ts";
import { explain } from "../explain.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { useAccount } from "./account.ts";
import styles from "./session.module.css";

const hasStatus = (error: unknown, status: number): boolean => error instanceof ConsoleApiError && error.status === status;

function faultOf(error: unknown): string | undefined {
  if (hasStatus(error, 400)) return "Enter the 8 letters that your terminal shows.";
  if (hasStatus(error, 404)) return "No login is waiting for this code. Check it, or start the login again in your terminal.";
  return undefined;
}

/** Asks for the code of a login. */
export function DeviceCodeForm({ onFound }: { onFound: (login: Schema<"DeviceLogin">) => void }) {
  const { person } = useAccount();
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const fault = faultOf(error);
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const userCode = String(new FormData(event.currentTarget).get("code"));
    setPending(true);
    setError(undefined);
    try {
      onFound((await call("findDeviceLogin", { body: { userCode } })).data);
    } catch (thrown) {
      setError(thrown);
    } finally {
      setPending(false);
    }
  };
  return (
    <Form className={styles.form ?? ""} onSubmit={send}>
      {error !== undefined && fault === undefined && (
        <Notice tone="bad">{hasStatus(error, 429) ? "Too many wrong codes. Try again later." : explain(error)}</Notice>
      )}
      <p>
        Enter the code from your terminal to log it in as <bdi>{person.email}</bdi>. Only enter a code if you ran{" "}
        <code>gatehouse login</code> yourself. Never enter one that someone sent you.
      </p>
      <TextField
        label="Code"
        name="code"
        description="For example WDJB-MJHT"
        isRequired
        isCode
        autoFocus
        autoComplete="off"
        spellCheck="false"
        maxLength={40}
        error={fault}
      />
      <Button type="submit" look="primary" isPending={isPending}>
        Continue
      </Button>
    </Form>
  );
}
