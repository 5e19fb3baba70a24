import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { query, type Schema } from "../../api.ts";
import { ExplainedNumber } from "../../results/explained-number.tsx";
import { BIAS_MEANING, CHECK_MEANINGS, GROUP_MEANINGS } from "../../results/other-meanings.ts";
import { Section } from "../../shell/page.tsx";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Notice } from "../../ui/notice.tsx";
import { formatNumber } from "../../ui/number-text.ts";
import styles from "./health.module.css";
import type { Experiment } from "./states.ts";

type Check = Experiment["healthChecks"][number];
type Status = Check["status"];

const TONES: Record<Status, Tone> = { FAILED: "bad", WARNING: "warn", WAITING: "off", PASSED: "good" };
const NAMES: Record<Status, string> = { FAILED: "Failed", WARNING: "Warning", WAITING: "Waiting", PASSED: "Passed" };

/** The health checks of an experiment as it is stored. */
// Checks of the stored experiment, since the draft began earlier.
const useChecks = (id: string): readonly Check[] => useQuery(query("getExperiment", { path: { id } })).data?.data.healthChecks ?? [];

/** Whether a check failed, so that no result can be trusted. */
export const useHasFailed = (id: string): boolean => useChecks(id).some(({ status }) => status === "FAILED");

/** The server's findings about the exposures and the metrics: warnings at once, the rest on demand. */
export function Health({ id }: { id: string }) {
  const checks = useChecks(id);
  if (checks.length === 0) return null;
  const alarming = checks.filter(({ status }) => status === "FAILED" || status === "WARNING");
  const others = checks.filter((check) => !alarming.includes(check));
  return (
    <Section title="Health" description="Checked hourly while the experiment runs, and with each results update.">
      {alarming.map((check) => (
        <Notice key={check.name} tone={check.status === "FAILED" ? "bad" : "warn"} title={check.name}>
          <bdi>{check.description}</bdi>
          <CheckNumbers check={check} />
          <Groups check={check} />
        </Notice>
      ))}
      {others.length > 0 && (
        <details>
          <summary>{summarize(others)}</summary>
          <ul className={styles.checks}>
            {others.map((check) => (
              <li key={check.name}>
                <Badge tone={TONES[check.status]}>{NAMES[check.status]}</Badge>
                <span>
                  <strong>{check.name}:</strong> <bdi>{check.description}</bdi>
                  <CheckNumbers check={check} />
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

function summarize(others: readonly Check[]): string {
  const passed = others.filter(({ status }) => status === "PASSED").length;
  const waiting = others.length - passed;
  const parts = [passed > 0 && `${count(passed)} passed`, waiting > 0 && `${count(waiting)} waiting for data`];
  return parts.filter(Boolean).join(", ");
}

const count = (checks: number) => `${checks} ${checks === 1 ? "check" : "checks"}`;

const rounded = (value: number): string => String(Number(value.toPrecision(2)));

/** The numbers that a check decides by, each explained. */
function CheckNumbers({ check: { type, metadata } }: { check: Check }): ReactNode {
  const { chiSquare, pValue, crossoverPercent } = metadata ?? {};
  if (chiSquare === undefined && pValue === undefined && crossoverPercent === undefined) return null;
  const isBias = type === "pre_experimental_bias_check";
  return (
    <p className={styles.counted}>
      {chiSquare !== undefined && (
        <>
          <ExplainedNumber meaning={CHECK_MEANINGS.chiSquare} text={`χ² = ${rounded(chiSquare)}`} />{" "}
        </>
      )}
      {pValue !== undefined && <ExplainedNumber meaning={isBias ? BIAS_MEANING : CHECK_MEANINGS.pValue} text={`p = ${rounded(pValue)}`} />}
      {crossoverPercent !== undefined && (
        <ExplainedNumber meaning={CHECK_MEANINGS.crossoverPercent} text={`${rounded(crossoverPercent)}% saw several groups`} />
      )}
    </p>
  );
}

/** The units of each group, where a check counts them. */
function Groups({ check: { metadata } }: { check: Check }): ReactNode {
  const counted = metadata?.groups?.filter(({ units }) => units !== undefined) ?? [];
  if (counted.length === 0) return null;
  return (
    <ul className={styles.counted}>
      {counted.map((group) => (
        <li key={group.groupID}>
          <bdi>{group.groupName}</bdi>: <GroupNumbers group={group} />
        </li>
      ))}
    </ul>
  );
}

function GroupNumbers({ group: { units = 0, expectedUnits, crossoverPercent } }: { group: Schema<"HealthCheckGroup"> }) {
  return (
    <>
      <ExplainedNumber meaning={GROUP_MEANINGS.units} text={`${formatNumber(units)} units`} />
      {expectedUnits !== undefined && (
        <>
          , <ExplainedNumber meaning={GROUP_MEANINGS.expectedUnits} text={`${formatNumber(Math.round(expectedUnits))} expected`} />
        </>
      )}
      {crossoverPercent !== undefined && (
        <>
          , <ExplainedNumber meaning={GROUP_MEANINGS.crossoverPercent} text={`${rounded(crossoverPercent)}% also in other groups`} />
        </>
      )}
    </>
  );
}
