import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call, instanceQuery, invalidate, type Schema } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { explain } from "../../explain.ts";
import { parseUserAgent } from "../../session/user-agent.ts";
import { Section } from "../../shell/page.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Loading, Notice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";

/** The person's sessions. Unknown ones can be ended. */
export function Sessions() {
  const { data, error: unread } = useQuery(instanceQuery("listSessions"));
  const [error, setError] = useState<unknown>();
  const sessions = data?.data ?? [];
  const others = sessions.filter(({ isCurrent }) => !isCurrent);
  const end = async (ended: readonly Schema<"Session">[]) => {
    setError(undefined);
    try {
      for (const { id } of ended) await call("endSession", { path: { id } });
      toast({ text: ended.length === 1 ? "Session ended" : `${ended.length} sessions have ended` });
    } catch (thrown) {
      setError(thrown);
    } finally {
      await invalidate("listSessions");
    }
  };
  const fault = error ?? unread;
  return (
    <Section
      title="Sessions"
      description="If you see a session you don’t recognize, end it and change your password."
      actions={
        <Button onPress={() => void end(others)} disabledReason={others.length === 0 ? "You aren’t signed in anywhere else." : undefined}>
          End all others
        </Button>
      }
    >
      {fault !== null && fault !== undefined && <Notice tone="bad">{explain(fault)}</Notice>}
      {data === undefined && unread === null && <Loading label="Loading your sessions" />}
      {sessions.length > 0 && (
        <div className={entity.scroll}>
          <table className={entity.table} aria-label="Sessions">
            <thead>
              <tr>
                <th scope="col">Program</th>
                <th scope="col">Address</th>
                <th scope="col">Signed in</th>
                <th scope="col">Last used</th>
                <th scope="col">Ends</th>
                <th scope="col">End it</th>
              </tr>
            </thead>
            <tbody>
              {sessions.map((session) => (
                <tr key={session.id}>
                  <th scope="row" title={session.userAgent ?? ""}>
                    <bdi>{parseUserAgent(session.userAgent)}</bdi>
                  </th>
                  <td>
                    <code>{session.address ?? "Unknown"}</code>
                  </td>
                  <td>
                    <Time time={session.createdTime} />
                  </td>
                  <td>
                    <Time time={session.lastUsedTime} />
                  </td>
                  <td>
                    <Time time={session.endsTime} />
                  </td>
                  <td>
                    {session.isCurrent ? (
                      <Badge tone="active">This one</Badge>
                    ) : (
                      <Button
                        look="quiet"
                        aria-label={`End the session of ${parseUserAgent(session.userAgent)} from ${session.address ?? "an unknown address"}`}
                        onPress={() => void end([session])}
                      >
                        End
                      </Button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
}
