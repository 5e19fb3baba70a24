import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call, instanceQuery, invalidate, type Schema } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { explain } from "../../explain.ts";
import { useSetUp } from "../../session/factors/use-set-up.tsx";
import { Section } from "../../shell/page.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Loading, Notice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import { Passkeys } from "./passkeys.tsx";

/** The person's second factors. */
export function SecondFactors() {
  const { data, error } = useQuery(instanceQuery("getSecondFactors"));
  if (data) return <Loaded factors={data.data} />;
  return (
    <Section title="Two-factor authentication">
      {error ? <Notice tone="bad">{explain(error)}</Notice> : <Loading label="Loading your second factors" />}
    </Section>
  );
}

function Loaded({ factors }: { factors: Schema<"SecondFactors"> }) {
  const [error, setError] = useState<unknown>();
  const { open, run, dialog } = useSetUp(factors);
  /** Changes factors after the person has confirmed that it is them. */
  const change = (done: string, work: () => Promise<unknown>) =>
    run(async () => {
      setError(undefined);
      try {
        await work();
        toast({ text: done });
      } catch (thrown) {
        setError(thrown);
      } finally {
        await invalidate("getSecondFactors", "listSessions");
      }
    });
  const { totp, passkeys, recoveryCodes, canUseTotp } = factors;
  const hasFactor = totp !== null || passkeys.length > 0;
  return (
    <>
      <Section
        title="Two-factor authentication"
        description="Sign in with a second factor in addition to your password. Adding your first factor or removing any factor ends your other sessions."
      >
        {error !== undefined && <Notice tone="bad">{explain(error)}</Notice>}
        <div className={entity.scroll}>
          <table className={entity.table} aria-label="Two-factor authentication">
            <tbody>
              <tr>
                <th scope="row">Authenticator app</th>
                <td>
                  {totp === null ? (
                    <Badge>Not set up</Badge>
                  ) : (
                    <>
                      <Badge tone="active">On</Badge> since <Time time={totp.createdTime} />
                    </>
                  )}
                </td>
                <td>
                  {totp === null ? (
                    <Button
                      aria-label="Set up an authenticator app"
                      onPress={() => open("app")}
                      disabledReason={canUseTotp ? undefined : NO_APPS}
                    >
                      Set up
                    </Button>
                  ) : (
                    <Button
                      look="quiet"
                      aria-label="Remove authenticator app"
                      onPress={() => change("Authenticator app removed", () => call("deleteTotp"))}
                    >
                      Remove
                    </Button>
                  )}
                </td>
              </tr>
              <tr>
                <th scope="row">Recovery codes</th>
                <td>{recoveryCodes === 1 ? "1 code left" : `${recoveryCodes} codes left`}</td>
                <td>
                  <Button
                    look={hasFactor && recoveryCodes === 0 ? "default" : "quiet"}
                    aria-label={recoveryCodes === 0 ? "Create recovery codes" : "Replace recovery codes"}
                    onPress={() => open("codes")}
                    disabledReason={hasFactor ? undefined : "Set up an authenticator app or a passkey first."}
                  >
                    {recoveryCodes === 0 ? "Create" : "Replace"}
                  </Button>
                </td>
              </tr>
            </tbody>
          </table>
        </div>
      </Section>
      <Passkeys factors={factors} onCreate={() => open("passkey")} onChange={change} run={run} />
      {dialog}
    </>
  );
}

const NO_APPS = "Authenticator apps aren’t set up. Ask the operator to set GATEHOUSE_SECRET_KEY.";
