import { type FormEvent, useState } from "react";
import { Form } from "react-aria-components";
import { ConsoleApiError, call, type Schema, type WritableSchema } from "../api.ts";
import { explain } from "../explain.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { explainPasskey, hasPasskeys, signChallenge } from "./passkeys.ts";
import styles from "./session.module.css";

type Factor = Schema<"SecondFactor">;
type GivenFactor = { code: string } | { passkey: WritableSchema<"PasskeyAssertion"> };

/** The factors that a person has, if the server asks for one of them. */
export function requiredFactors(error: unknown): Factor[] | undefined {
  return error instanceof ConsoleApiError && error.code === "second_factor_required" ? (error.factors ?? []) : undefined;
}

type Props = {
  factors: readonly Factor[];
  /** Repeats the request that lacked the factor. */
  send: (given: GivenFactor) => Promise<void>;
  onBack: () => void;
};

/** The second step of a sign-in: a code, or a passkey. */
export function SecondFactorForm({ factors, send, onBack }: Props) {
  const canUsePasskey = factors.includes("passkey") && hasPasskeys();
  const [shown, setShown] = useState<"totp" | "recovery_code" | undefined>(
    factors.includes("totp") ? "totp" : canUsePasskey ? undefined : "recovery_code",
  );
  const isRecovery = shown === "recovery_code";
  const [failure, setFailure] = useState<{ of: "code" | "passkey"; error: unknown }>();
  const [isPending, setPending] = useState(false);
  const attempt = async (of: "code" | "passkey", work: () => Promise<void>) => {
    setPending(true);
    setFailure(undefined);
    try {
      await work();
    } catch (error) {
      setFailure({ of, error });
      setPending(false);
    }
  };
  const sendCode = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get("code"));
    void attempt("code", () => send({ code }));
  };
  const sendPasskey = () => attempt("passkey", async () => send({ passkey: await signChallenge((await call("startPasskeySignIn")).data) }));
  const isWrong = requiredFactors(failure?.error) !== undefined;
  const show = (next: typeof shown) => {
    setFailure(undefined);
    setShown(next);
  };
  return (
    <div className={styles.form}>
      {failure !== undefined && !(isWrong && failure.of === "code") && (
        <Notice tone="bad">
          {isWrong || failure.of === "code" ? explainWrong(failure.error, isWrong) : explainPasskey(failure.error)}
        </Notice>
      )}
      {canUsePasskey && (
        <Button look={shown === undefined ? "primary" : "default"} isPending={isPending} onPress={() => void sendPasskey()}>
          Use a passkey
        </Button>
      )}
      {shown !== undefined && (
        <Form className={styles.form ?? ""} onSubmit={sendCode}>
          <TextField
            key={shown}
            label={isRecovery ? "Recovery code" : "Code"}
            name="code"
            isRequired
            autoFocus
            autoComplete="one-time-code"
            inputMode={isRecovery ? "text" : "numeric"}
            description={isRecovery ? "One of your saved codes. Each code works once." : "The 6 digits in your authenticator app."}
            error={isWrong && failure?.of === "code" ? "This code is wrong or was used before." : undefined}
          />
          <Button type="submit" look="primary" isPending={isPending}>
            Continue
          </Button>
        </Form>
      )}
      {isRecovery && factors.includes("totp") && (
        <Button look="quiet" onPress={() => show("totp")}>
          Use your authenticator app
        </Button>
      )}
      {!isRecovery && factors.includes("recovery_code") && (
        <Button look="quiet" onPress={() => show("recovery_code")}>
          Use a recovery code
        </Button>
      )}
      <Button look="quiet" onPress={onBack}>
        Back
      </Button>
    </div>
  );
}

function explainWrong(error: unknown, isWrong: boolean): string {
  return isWrong ? "This passkey belongs to another account." : explain(error);
}
