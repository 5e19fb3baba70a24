import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ConsoleApiError, call, invalidate, query, type Schema } from "../api.ts";
import { explain } from "../explain.ts";
import { Button } from "../ui/button.tsx";
import { Loading, Notice } from "../ui/notice.tsx";
import { toast } from "../ui/toast.tsx";

/** The second factors of another person, for users who can remove them. */
export function PersonSecondFactors({ id }: { id: string }) {
  const { data, error: unread } = useQuery(query("getPersonSecondFactors", { path: { id } }));
  const [error, setError] = useState<unknown>();
  const [isAsking, setAsking] = useState(false);
  const remove = async () => {
    setError(undefined);
    setAsking(false);
    try {
      await call("deletePersonSecondFactors", { path: { id } });
      toast({ text: "Second factors removed" });
    } catch (thrown) {
      setError(thrown);
    } finally {
      await invalidate("getPersonSecondFactors", "listPersonSessions", "listPasswordResets", "listInvitations", "listInstanceAuditLogs");
    }
  };
  // The list of sessions says why.
  if (unread instanceof ConsoleApiError && unread.status === 403) return null;
  const fault = error ?? unread ?? undefined;
  return (
    <section className="stack" aria-label="Two-factor authentication">
      <h3>Two-factor authentication</h3>
      {fault !== undefined && <Notice tone="bad">{explain(fault)}</Notice>}
      {data === undefined && unread === null && <Loading label="Loading second factors" />}
      {data !== undefined && <p>{summarize(data.data)}</p>}
      {data !== undefined && hasAny(data.data) && !isAsking && (
        <div>
          <Button onPress={() => setAsking(true)}>Remove second factors</Button>
        </div>
      )}
      {isAsking && (
        <Notice
          tone="warn"
          title="Remove all second factors?"
          actions={
            <>
              <Button onPress={() => setAsking(false)}>Keep them</Button>
              <Button look="danger" onPress={() => void remove()}>
                Remove
              </Button>
            </>
          }
        >
          Do this if the person lost their device. It ends their sessions and one-time links. After that, their password is enough to sign
          in.
        </Notice>
      )}
    </section>
  );
}

const hasAny = ({ totp, passkeys, recoveryCodes }: Schema<"PersonSecondFactors">) => totp || passkeys > 0 || recoveryCodes > 0;

function summarize({ totp, passkeys, recoveryCodes }: Schema<"PersonSecondFactors">): string {
  const count = (number: number, name: string) => `${number} ${name}${number === 1 ? "" : "s"}`;
  const parts = [
    ...(totp ? ["an authenticator app"] : []),
    ...(passkeys > 0 ? [count(passkeys, "passkey")] : []),
    ...(recoveryCodes > 0 ? [count(recoveryCodes, "recovery code")] : []),
  ];
  return parts.length === 0 ? "No second factors." : `Has ${parts.join(", ")}.`;
}
