import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Form } from "react-aria-components";
import { call, instanceQuery, invalidate } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { explain, violationsByPlace } from "../../explain.ts";
import { explainPasskey, hasPasskeys, signChallenge } from "../../session/passkeys.ts";
import { NEW_PASSWORD_HINT } from "../../session/password-fields.tsx";
import { Section } from "../../shell/page.tsx";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { toast } from "../../ui/toast.tsx";

/** Sets another password, which ends the person's other sessions. A passkey replaces the current password. */
export function Password() {
  const { data: factors } = useQuery(instanceQuery("getSecondFactors"));
  const [failure, setFailure] = useState<{ error: unknown; text: string }>();
  const [isPending, setPending] = useState(false);
  const faults = violationsByPlace(failure?.error);
  const canUsePasskey = (factors?.data.passkeys.length ?? 0) > 0 && hasPasskeys();
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const given = new FormData(form);
    const [currentPassword, password] = [String(given.get("currentPassword")), String(given.get("password"))];
    let explainError = explain;
    setPending(true);
    setFailure(undefined);
    try {
      if (currentPassword === "") {
        explainError = explainPasskey;
        await call("confirmSession", { body: { passkey: await signChallenge((await call("startConfirmation")).data) } });
        explainError = explain;
      }
      await call("changePassword", { body: { ...(currentPassword !== "" && { currentPassword }), password } });
      form.reset();
      await invalidate("listSessions", "getSecondFactors");
      toast({ text: "Password changed. Your other sessions have ended." });
    } catch (error) {
      setFailure({ error, text: explainError(error) });
    } finally {
      setPending(false);
    }
  };
  return (
    <Section title="Password" description="Changing your password ends your other sessions.">
      <Form className={entity.card ?? ""} onSubmit={(event) => void send(event)}>
        {failure !== undefined && <Notice tone="bad">{failure.text}</Notice>}
        <TextField
          label="Current password"
          name="currentPassword"
          type="password"
          isRequired={!canUsePasskey}
          autoComplete="current-password"
          {...(canUsePasskey && { description: "Leave empty to confirm with a passkey." })}
          error={faults.get("currentPassword")}
        />
        <TextField
          label="New password"
          name="password"
          type="password"
          isRequired
          autoComplete="new-password"
          description={NEW_PASSWORD_HINT}
          error={faults.get("password")}
        />
        <div>
          <Button type="submit" isPending={isPending}>
            Change password
          </Button>
        </div>
      </Form>
    </Section>
  );
}
