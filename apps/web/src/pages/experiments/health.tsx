import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { query, type Schema } from "../../api.ts";
import { ExplainedNumber } from "../../results/explained-number.tsx";
import { BIAS_MEANING, CHECK_MEANINGS, GROUP_MEANINGS } from "../../results/other-meanings.ts";
import { FoldedSection } from "../../shell/folded-section.tsx";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Notice } from "../../ui/notice.tsx";
import { formatNumber } from "../../ui/number-text.ts";
import styles from "./health.module.css";
import { summarizeHealth } from "./health-words.ts";
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

const isAlarming = ({ status }: Check): boolean => status === "FAILED" || status === "WARNING";

/** Failed checks and warnings, which stand above the results. */
export function HealthAlarms({ id }: { id: string }) {
  return useChecks(id)
    .filter(isAlarming)
    .map((check) => (
      <Notice key={check.name} tone={check.status === "FAILED" ? "bad" : "warn"} title={check.name}>
        <bdi>{check.description}</bdi>
        <CheckNumbers check={check} />
        <Groups check={check} />
      </Notice>
    ));
}

/** The health of the experiment in a few words. Empty before the first check. */
export function HealthBadge({ id }: { id: string }) {
  const checks = useChecks(id);
  if (checks.length === 0) return null;
  const { tone, text } = summarizeHealth(checks);
  return <Badge tone={tone}>{text}</Badge>;
}

/** All checks with their findings, on demand. */
export function HealthChecks({ id }: { id: string }) {
  const checks = useChecks(id);
  if (checks.length === 0) return null;
  return (
    <FoldedSection title="Health checks" description="Checked hourly while the experiment runs, and with each results update.">
      <ul className={styles.checks}>
        {checks.map((check) => (
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
    </FoldedSection>
  );
}

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
