import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { query, type Schema } from "../../api.ts";
import { StackedBars } from "../../charts/stacked-bars.tsx";
import entity from "../../entity/entity.module.css";
import { explain } from "../../explain.ts";
import { Section } from "../../shell/page.tsx";
import { Select } from "../../ui/choice.tsx";
import { Loading, Notice } from "../../ui/notice.tsx";
import { formatNumber } from "../../ui/number-text.ts";
import styles from "./gate.module.css";
import { LatestChecks } from "./latest-checks.tsx";
import { useGateMarks } from "./use-marks.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Counts of running applications move on. */
const REFRESH_MS = 5_000;
const FROM = "/projects/$projectID/gates/$id";

const RANGES = {
  hour: { label: "Last hour", ms: HOUR_MS, interval: "hour" },
  day: { label: "Last 24 hours", ms: DAY_MS, interval: "hour" },
  week: { label: "Last 7 days", ms: 7 * DAY_MS, interval: "hour" },
  quarter: { label: "Last 90 days", ms: 90 * DAY_MS, interval: "day" },
} as const;

type Range = keyof typeof RANGES;
type Rule = Schema<"RuleChecks">;

/** How often each rule decided, as applications report it. */
export default function ChecksTab({ gate }: { gate: Schema<"Gate"> }) {
  const { id } = gate;
  const { range = "day", environment } = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const { ms, interval } = RANGES[range];
  // The start moves on by whole intervals, so that the request stays the same in between.
  const step = interval === "day" ? DAY_MS : HOUR_MS;
  const start = Math.floor((Date.now() - ms) / step) * step;
  const { data, error, isPending } = useQuery({
    ...query("getGateChecksByRule", { path: { id }, query: { start, interval, ...(environment !== undefined && { environment }) } }),
    refetchInterval: REFRESH_MS,
  });
  const marks = useGateMarks(id);
  return (
    <>
      <Section
        title={environment === undefined ? "Checks" : `Checks in ${environment}`}
        description="Checks by rule and result, updated within seconds."
        actions={
          <Select
            label="Time"
            isLabelHidden
            options={Object.entries(RANGES).map(([key, { label }]) => ({ id: key, label }))}
            value={range}
            onChange={(chosen) => void navigate({ search: (known) => ({ ...known, range: chosen as Range }), replace: true })}
          />
        }
      >
        {error && <Notice tone="bad">{explain(error)}</Notice>}
        {isPending && <Loading />}
        {data && (
          <>
            <StackedBars
              title="Checks by rule and result"
              unit="checks"
              start={data.data.start}
              end={data.data.end}
              interval={interval}
              now={Date.now()}
              marks={marks}
              series={data.data.rules
                .flatMap((rule) => [toSeries(rule, "passes"), toSeries(rule, "fails")])
                .filter(({ points }) => points.length > 0)}
              empty="No checks in this period."
            />
            {data.data.rules.length > 0 && <RuleTable rules={data.data.rules} />}
          </>
        )}
      </Section>
      <LatestChecks gate={gate} />
    </>
  );
}

const toSeries = (rule: Rule, side: "passes" | "fails") => ({
  id: `${rule.ruleID} ${side}`,
  label: `${describeRule(rule)}: ${side === "passes" ? "passed" : "failed"}`,
  points: rule.points.filter((point) => point[side] > 0).map((point) => ({ time: point.time, value: point[side] })),
});

const ADDED: Record<string, string> = { default: "No rule matched", disabled: "Gate disabled", launched: "Gate launched" };

function describeRule({ ruleID, ruleName }: Rule): string {
  const override = /^(pass|fail):(.*):id_override$/.exec(ruleID);
  if (override) return `Override to ${override[1]}${override[2] === "all" ? "" : ` in ${override[2]}`}`;
  return ruleName ?? ADDED[ruleID] ?? `Former rule or holdout ${ruleID}`;
}

function RuleTable({ rules }: { rules: readonly Rule[] }) {
  return (
    <div className={entity.scroll}>
      <table className={entity.table} aria-label="Checks by rule">
        <thead>
          <tr>
            <th scope="col">Decided by</th>
            <th scope="col">Passed</th>
            <th scope="col">Failed</th>
          </tr>
        </thead>
        <tbody>
          {rules.map((rule) => (
            <tr key={rule.ruleID}>
              <th scope="row">
                <bdi>{describeRule(rule)}</bdi>
              </th>
              <td className={styles.number}>{formatNumber(rule.passes)}</td>
              <td className={styles.number}>{formatNumber(rule.fails)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
