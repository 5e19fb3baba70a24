import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { query } from "../../api.ts";
import { Section } from "../../shell/page.tsx";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Notice } from "../../ui/notice.tsx";
import styles from "./health.module.css";
import type { Experiment } from "./states.ts";

type Check = Experiment["healthChecks"][number];
type Status = Check["status"];

const TONES: Record<Status, Tone> = { FAILED: "bad", WARNING: "warn", WAITING: "off", PASSED: "good" };
const NAMES: Record<Status, string> = { FAILED: "Failed", WARNING: "Warning", WAITING: "Waiting", PASSED: "Passed" };

/** What the server found out about the exposures and the metrics: warnings at once, the rest on demand. */
export function Health({ id }: { id: string }) {
  // Not those of the draft, which began earlier.
  const checks = useQuery(query("getExperiment", { path: { id } })).data?.data.healthChecks ?? [];
  if (checks.length === 0) return null;
  const alarming = checks.filter(({ status }) => status === "FAILED" || status === "WARNING");
  const others = checks.filter((check) => !alarming.includes(check));
  return (
    <Section title="Health" description="Checked every hour while the experiment runs, and with each load.">
      {alarming.map((check) => (
        <Notice key={check.name} tone={check.status === "FAILED" ? "bad" : "warn"} title={check.name}>
          <bdi>{check.description}</bdi>
          <Groups check={check} />
        </Notice>
      ))}
      {others.length > 0 && (
        <details>
          <summary>{summaryOf(others)}</summary>
          <ul className={styles.checks}>
            {others.map((check) => (
              <li key={check.name}>
                <Badge tone={TONES[check.status]}>{NAMES[check.status]}</Badge>
                <span>
                  <strong>{check.name}:</strong> <bdi>{check.description}</bdi>
                  <Groups check={check} />
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Section>
  );
}

function summaryOf(others: readonly Check[]): string {
  const passed = others.filter(({ status }) => status === "PASSED").length;
  const waiting = others.length - passed;
  const parts = [passed > 0 && `${count(passed)} passed`, waiting > 0 && `${count(waiting)} waiting for data`];
  return parts.filter(Boolean).join(", ");
}

const count = (checks: number) => `${checks} ${checks === 1 ? "check" : "checks"}`;

/** The units of each group, where a check counts them. */
function Groups({ check: { metadata } }: { check: Check }): ReactNode {
  const counted = metadata?.groups?.filter(({ units }) => units !== undefined) ?? [];
  if (counted.length === 0) return null;
  return (
    <ul className={styles.counted}>
      {counted.map(({ groupID, groupName, units = 0, expectedUnits, crossoverPercent }) => (
        <li key={groupID}>
          <bdi>{groupName}</bdi>: {units.toLocaleString("en-US")} units
          {expectedUnits !== undefined && `, ${Math.round(expectedUnits).toLocaleString("en-US")} expected`}
          {crossoverPercent !== undefined && `, ${Number(crossoverPercent.toPrecision(2))} % in other groups, too`}
        </li>
      ))}
    </ul>
  );
}
