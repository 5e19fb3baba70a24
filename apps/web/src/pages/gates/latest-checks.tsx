import { useQuery } from "@tanstack/react-query";
import { query, type Schema } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { Section } from "../../shell/page.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Time } from "../../ui/time.tsx";

const GATE_EXPOSURE = "statsig::gate_exposure";
const SHOWN = 20;
const REFRESH_MS = 5_000;

/** Single checks as they arrive: whether an application reaches the server, and the results it got. */
export function LatestChecks({ gate }: { gate: Schema<"Gate"> }) {
  const { data } = useQuery({
    ...query("listEventValues", { path: { eventName: GATE_EXPOSURE }, query: { entityID: gate.id, limit: SHOWN } }),
    refetchInterval: REFRESH_MS,
  });
  const checks = data?.data ?? [];
  if (checks.length === 0) return null;
  const findName = (ruleID: unknown): string => gate.rules.find(({ id }) => id === ruleID)?.name ?? String(ruleID);
  return (
    <Section title="Latest checks" description="Newest first, live.">
      <div className={entity.scroll}>
        <table className={entity.table} aria-label="Latest checks">
          <thead>
            <tr>
              <th scope="col">User</th>
              <th scope="col">Result</th>
              <th scope="col">Decided by</th>
              <th scope="col">From</th>
              <th scope="col">When</th>
            </tr>
          </thead>
          <tbody>
            {checks.map(({ timestamp, userID, source, metadata }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a user can be checked twice at the same time.
              <tr key={`${timestamp} ${userID} ${index}`}>
                <td>
                  <bdi>{userID || "Without a user ID"}</bdi>
                </td>
                <td>
                  <Badge tone={metadata.gateValue === "true" ? "good" : "off"}>{metadata.gateValue === "true" ? "Passed" : "Failed"}</Badge>
                </td>
                <td>
                  <bdi>{findName(metadata.ruleID)}</bdi>
                </td>
                <td>{source}</td>
                <td>
                  <Time time={Number(timestamp)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
