import { type FormEvent, useState } from "react";
import { Form } from "react-aria-components";
import { call, invalidate } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { explain, violationsByPlace } from "../../explain.ts";
import { NEW_PASSWORD_HINT } from "../../session/password-fields.tsx";
import { Section } from "../../shell/page.tsx";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { toast } from "../../ui/toast.tsx";

/** Sets another password, which ends the person's other sessions. */
export function Password() {
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const faults = violationsByPlace(error);
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const given = new FormData(form);
    setPending(true);
    setError(undefined);
    try {
      await call("changePassword", {
        body: { currentPassword: String(given.get("currentPassword")), password: String(given.get("password")) },
      });
      form.reset();
      await invalidate("listSessions");
      toast({ text: "Your password is changed, and your other sessions have ended" });
    } catch (thrown) {
      setError(thrown);
    } finally {
      setPending(false);
    }
  };
  return (
    <Section title="Password" description="Another password ends your other sessions.">
      <Form className={entity.card ?? ""} onSubmit={(event) => void send(event)}>
        {error !== undefined && <Notice tone="bad">{explain(error)}</Notice>}
        <TextField
          label="Current password"
          name="currentPassword"
          type="password"
          isRequired
          autoComplete="current-password"
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
            Change the password
          </Button>
        </div>
      </Form>
    </Section>
  );
}
