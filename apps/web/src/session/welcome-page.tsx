import { useLocation, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { Form } from "react-aria-components";
import { ConsoleApiError, call, queryClient, type WritableSchema } from "../api.ts";
import { explain, violationsByPlace } from "../explain.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { SessionFrame } from "./frame.tsx";
import { EmailField, PasswordField } from "./password-fields.tsx";
import { requiredFactors, SecondFactorForm } from "./second-factor-form.tsx";
import styles from "./session.module.css";

const DEAD_LINK = "This link was used, has expired, or is incomplete. Ask for a new one.";

const isRefusedLink = (error: unknown): boolean => error instanceof ConsoleApiError && error.status === 401;

/** The page of one-time links: the first administrator, an invitation, or a new password. The token is behind `#`, so that no server logs it. */
export default function WelcomePage() {
  const { hash } = useLocation();
  const [token] = useState(hash);
  const navigate = useNavigate();
  const [error, setError] = useState<unknown>();
  const [asked, setAsked] = useState<{ body: WritableSchema<"Redemption">; factors: NonNullable<ReturnType<typeof requiredFactors>> }>();
  const [isPending, setPending] = useState(false);
  const faults = violationsByPlace(error);
  const redeem = async (body: WritableSchema<"Redemption">) => {
    await call("redeemToken", { body });
    queryClient.clear();
    await navigate({ to: "/", replace: true });
  };
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const text = (name: string) => String(given.get(name) ?? "");
    setPending(true);
    setError(undefined);
    const name = text("name").trim();
    const body = { token, email: text("email"), password: text("password"), ...(name !== "" && { name }) };
    try {
      await redeem(body);
    } catch (thrown) {
      const factors = requiredFactors(thrown);
      if (factors) setAsked({ body, factors });
      else setError(thrown);
    } finally {
      setPending(false);
    }
  };
  if (token === "")
    return (
      <SessionFrame title="This link is incomplete">
        <p>Copy the complete link, including # and the token at its end.</p>
        <Button onPress={() => void navigate({ to: "/sign-in" })}>Sign in instead</Button>
      </SessionFrame>
    );
  if (asked)
    return (
      <SessionFrame title="Two-factor authentication">
        <SecondFactorForm
          factors={asked.factors}
          send={(factor) => redeem({ ...asked.body, ...factor })}
          onBack={() => setAsked(undefined)}
        />
      </SessionFrame>
    );
  return (
    <SessionFrame title="Welcome">
      <p>Choose your password. This link works only once.</p>
      <Form className={styles.form ?? ""} onSubmit={send}>
        {error !== undefined && <Notice tone="bad">{isRefusedLink(error) ? DEAD_LINK : explain(error)}</Notice>}
        <TextField
          label="Name"
          name="name"
          autoComplete="name"
          description="If you already have an account, leave this empty to keep its name."
          error={faults.get("name")}
        />
        <EmailField error={faults.get("email")} />
        <PasswordField isNew error={faults.get("password")} />
        <Button type="submit" look="primary" isPending={isPending}>
          Continue
        </Button>
      </Form>
    </SessionFrame>
  );
}
