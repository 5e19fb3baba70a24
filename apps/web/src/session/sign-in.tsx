import { type FormEvent, useState } from "react";
import { Form } from "react-aria-components";
import { ConsoleApiError, call, type WritableSchema } from "../api.ts";
import { explain } from "../explain.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import type { Account } from "./account.ts";
import { explainPasskey, hasPasskeys, signChallenge } from "./passkeys.ts";
import { EmailField, PasswordField } from "./password-fields.tsx";
import { requiredFactors, SecondFactorForm } from "./second-factor-form.tsx";
import styles from "./session.module.css";

type Props = {
  /** The address of the person whose session ended. Only they can sign in. */
  email?: string;
  /** Whether the server accepts passkeys. */
  withPasskey: boolean;
  onSignedIn: (account: Account) => void;
};
type Asked = { given: WritableSchema<"SignIn">; factors: NonNullable<ReturnType<typeof requiredFactors>> };

/** Signs in with a passkey, or with email and password, and then the second factor if the person has one. */
export function SignInForm({ email, withPasskey, onSignedIn }: Props) {
  const [error, setError] = useState<unknown>();
  const [asked, setAsked] = useState<Asked>();
  const [isPending, setPending] = useState(false);
  const signIn = async (body: WritableSchema<"SignIn">) => onSignedIn((await call("createSession", { body })).data);
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const given = { email: String(form.get("email")), password: String(form.get("password")) };
    setPending(true);
    setError(undefined);
    try {
      await signIn(given);
    } catch (thrown) {
      const factors = requiredFactors(thrown);
      if (factors) setAsked({ given, factors });
      else setError(thrown);
    } finally {
      setPending(false);
    }
  };
  if (asked)
    return (
      <SecondFactorForm
        factors={asked.factors}
        send={(factor) => signIn({ ...asked.given, ...factor })}
        onBack={() => setAsked(undefined)}
      />
    );
  return (
    <div className={styles.form}>
      {withPasskey && hasPasskeys() && <PasskeySignIn onSignedIn={onSignedIn} />}
      <Form className={styles.form ?? ""} onSubmit={send}>
        {error !== undefined && <Notice tone="bad">{explainFailure(error)}</Notice>}
        <EmailField {...(email !== undefined && { value: email })} />
        <PasswordField isNew={false} />
        <Button type="submit" look="primary" isPending={isPending}>
          Sign in
        </Button>
      </Form>
    </div>
  );
}

/** Signs in with only a passkey. */
function PasskeySignIn({ onSignedIn }: Pick<Props, "onSignedIn">) {
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const signIn = async () => {
    setPending(true);
    setError(undefined);
    try {
      const passkey = await signChallenge((await call("startPasskeySignIn")).data);
      onSignedIn((await call("finishPasskeySignIn", { body: { passkey } })).data);
    } catch (thrown) {
      setError(thrown);
    } finally {
      setPending(false);
    }
  };
  return (
    <>
      {error !== undefined && <Notice tone="bad">{explainPasskey(error)}</Notice>}
      <Button isPending={isPending} onPress={() => void signIn()}>
        Sign in with a passkey
      </Button>
    </>
  );
}

function explainFailure(error: unknown): string {
  if (error instanceof ConsoleApiError && error.status === 401) return "Email or password is wrong.";
  return explain(error);
}
