import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ConsoleApiError, call, invalidate, query, type Schema } from "../api.ts";
import { explain } from "../explain.ts";
import { useAccount } from "../session/account.ts";
import { parseUserAgent } from "../session/user-agent.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Loading, Notice } from "../ui/notice.tsx";
import { Time } from "../ui/time.tsx";
import { toast } from "../ui/toast.tsx";
import entity from "./entity.module.css";

/** The sessions of another person, for readers who may sign them out. */
export function PersonSessions({ id }: { id: string }) {
  const { sessionID } = useAccount();
  const { data, error: unread } = useQuery(query("listPersonSessions", { path: { id } }));
  const [error, setError] = useState<unknown>();
  const sessions = data?.data ?? [];
  const end = async (done: string, request: () => Promise<unknown>) => {
    setError(undefined);
    try {
      await request();
      toast({ text: done });
    } catch (thrown) {
      setError(thrown);
    } finally {
      await invalidate("listPersonSessions", "listSessions", "listInstanceAuditLogs");
    }
  };
  const endOne = (session: string) => end("Session ended", () => call("endPersonSession", { path: { id, sessionID: session } }));
  const endAll = () => end("All sessions ended", () => call("endPersonSessions", { path: { id } }));
  const isRefused = unread instanceof ConsoleApiError && unread.status === 403;
  const fault = error ?? (isRefused ? undefined : unread);
  return (
    <section className="stack" aria-label="Sessions">
      <h3>Sessions</h3>
      {isRefused && (
        <p>
          Only server administrators can end these sessions: this person has permissions that you don't have, or belongs to other projects.
        </p>
      )}
      {fault !== null && fault !== undefined && <Notice tone="bad">{explain(fault)}</Notice>}
      {data === undefined && unread === null && <Loading label="Loading sessions" />}
      {data !== undefined && sessions.length === 0 && <p>Not signed in anywhere.</p>}
      {sessions.length > 0 && (
        <>
          <SessionTable sessions={sessions} ownID={sessionID} onEnd={endOne} />
          <div>
            <Button onPress={() => void endAll()}>End all sessions</Button>
          </div>
        </>
      )}
    </section>
  );
}

type TableProps = { sessions: readonly Schema<"PersonSession">[]; ownID: string; onEnd: (id: string) => Promise<void> };

function SessionTable({ sessions, ownID, onEnd }: TableProps) {
  return (
    <div className={entity.scroll}>
      <table className={entity.table} aria-label="Sessions">
        <thead>
          <tr>
            <th scope="col">Browser</th>
            <th scope="col">Address</th>
            <th scope="col">Last used</th>
            <th scope="col">End session</th>
          </tr>
        </thead>
        <tbody>
          {sessions.map(({ id, userAgent, address, lastUsedTime }) => (
            <tr key={id}>
              <th scope="row" title={userAgent ?? ""}>
                <bdi>{parseUserAgent(userAgent)}</bdi> {id === ownID && <Badge tone="active">This one</Badge>}
              </th>
              <td>
                <code>{address ?? "Unknown"}</code>
              </td>
              <td>
                <Time time={lastUsedTime} />
              </td>
              <td>
                <Button
                  look="quiet"
                  aria-label={`End the session of ${parseUserAgent(userAgent)} from ${address ?? "an unknown address"}`}
                  onPress={() => void onEnd(id)}
                >
                  End
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
