import { useQuery } from "@tanstack/react-query";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { Form } from "react-aria-components";
import { ConsoleApiError, call, queryClient, type Schema, type WritableSchema } from "../api.ts";
import { explain, violationsByPlace } from "../explain.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { Loading, Notice } from "../ui/notice.tsx";
import { moment } from "../ui/time-text.ts";
import { SessionFrame } from "./frame.tsx";
import { EmailField, PasswordField } from "./password-fields.tsx";
import { requiredFactors, SecondFactorForm } from "./second-factor-form.tsx";
import styles from "./session.module.css";

type Use = Schema<"OneTimeToken">;

const CHECK = "one-time token";

const isRefusedLink = (error: unknown): boolean => error instanceof ConsoleApiError && error.status === 401;

/** The page of one-time links: the first administrator, an invitation, or a new password. The token is behind `#`, so that no server logs it. */
export default function WelcomePage() {
  const { hash } = useLocation();
  const [token] = useState(hash);
  const check = useQuery({
    queryKey: [CHECK, token],
    queryFn: () => call("checkToken", { body: { token } }),
    enabled: token !== "",
    // The form stays as it is while a person fills it in.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (token === "") return <NoLink title="This link is incomplete">Copy the complete link, including # and the token at its end.</NoLink>;
  if (isRefusedLink(check.error)) return <DeadLink />;
  if (check.data) return <Redeem token={token} use={check.data.data} />;
  return (
    <SessionFrame title="Welcome">
      {check.isPending ? (
        <Loading label="Checking your link" />
      ) : (
        <>
          <Notice tone="bad">{explain(check.error)}</Notice>
          <Button onPress={() => void check.refetch()}>Try again</Button>
        </>
      )}
    </SessionFrame>
  );
}

function NoLink({ title, children }: { title: string; children: string }) {
  const navigate = useNavigate();
  return (
    <SessionFrame title={title}>
      <p>{children}</p>
      <Button onPress={() => void navigate({ to: "/sign-in" })}>Sign in instead</Button>
    </SessionFrame>
  );
}

const DeadLink = () => (
  <NoLink title="This link no longer works">
    It was already used or replaced, has expired, or is incomplete. Ask the person who sent it for a new one.
  </NoLink>
);

const TAKEN = "This email address already has an account, or the link was used. Try another email address.";

const TITLES = { administrator: "Welcome", invitation: "Welcome", password_reset: "Choose a new password" };

/** The form of a link that works. */
function Redeem({ token, use }: { token: string; use: Use }) {
  const { purpose, email } = use;
  const navigate = useNavigate();
  const [error, setError] = useState<unknown>();
  const [asked, setAsked] = useState<{ body: WritableSchema<"Redemption">; factors: NonNullable<ReturnType<typeof requiredFactors>> }>();
  const [isPending, setPending] = useState(false);
  const faults = violationsByPlace(error);
  const redeem = async (body: WritableSchema<"Redemption">) => {
    await call("redeemToken", { body });
    // The page, which still shows, would check the used token again.
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== CHECK });
    await navigate({ to: "/", replace: true });
  };
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const text = (name: string) => String(given.get(name) ?? "");
    setPending(true);
    setError(undefined);
    const name = text("name").trim();
    const body = { token, email: email ?? text("email"), password: text("password"), ...(name !== "" && { name }) };
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
  // An administrator's link also refuses the address of an account.
  if (isRefusedLink(error) && purpose !== "administrator") return <DeadLink />;
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
    <SessionFrame title={TITLES[purpose]}>
      <Introduction use={use} />
      <p>This link works only once and expires on {moment(use.expiresTime)}.</p>
      <Form className={styles.form ?? ""} onSubmit={send}>
        {error !== undefined && <Notice tone="bad">{isRefusedLink(error) ? TAKEN : explain(error)}</Notice>}
        {purpose !== "password_reset" && (
          <TextField
            label={purpose === "invitation" ? "Name (optional)" : "Name"}
            name="name"
            autoComplete="name"
            isRequired={purpose === "administrator"}
            description={
              purpose === "invitation"
                ? "Other people see it next to your changes. If you already have an account, leave this empty to keep its name."
                : "Other people see it next to your changes. All fields are required."
            }
            error={faults.get("name")}
          />
        )}
        <EmailField error={faults.get("email")} {...(email !== null && { value: email })} />
        <PasswordField isNew error={faults.get("password")} />
        <Button type="submit" look="primary" isPending={isPending}>
          Continue
        </Button>
      </Form>
    </SessionFrame>
  );
}

function Introduction({ use: { purpose, email, projectName, invitedBy } }: { use: Use }) {
  if (purpose === "administrator") return <p>Create your account as an administrator of this server. You can invite other people later.</p>;
  if (purpose === "password_reset")
    return (
      <p>
        Choose a new password for <bdi>{email}</bdi>. This signs you out everywhere else.
      </p>
    );
  return (
    <p>
      {invitedBy === null ? (
        "You’re invited"
      ) : (
        <>
          <bdi>{invitedBy}</bdi> invited you
        </>
      )}{" "}
      to{" "}
      {projectName === null ? (
        "Gatehouse"
      ) : (
        <>
          the project <bdi>{projectName}</bdi>
        </>
      )}{" "}
      as <bdi>{email}</bdi>. Choose a password to accept.
    </p>
  );
}
