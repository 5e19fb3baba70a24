import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { query, type Schema } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { EntityLink } from "../../shell/entity-link.tsx";
import { explain } from "../../shell/explain.ts";
import { Section } from "../../shell/page.tsx";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Empty, Loading, Notice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { Allowed, Found } from "./guardrail-numbers.tsx";
import { type GuardrailRow, type GuardrailState, guardrailRows, metricNameIn, ruleNameIn, STATE_NAMES } from "./guardrail-words.ts";

/** A look is no change of the gate. */
export const REFRESH_MS = 60_000;

const TONES: Record<GuardrailState, Tone> = { holds: "good", beyond: "bad", unknown: "off" };

type Props = { gate: Schema<"Gate"> };

/** What the last look at the gate's guardrails found out. */
export function Guardrails({ gate }: Props) {
  const params = useParams({ from: "/projects/$projectID/gates/$id" });
  const isGuarded = gate.monitoringMetrics.some(({ guardrail }) => guardrail !== undefined);
  const read = query("getGateGuardrails", { path: { id: gate.id } });
  const { data, error, isPending } = useQuery({ ...read, enabled: isGuarded, refetchInterval: REFRESH_MS });
  const lookTime = data?.data.lookTime ?? null;
  return (
    <Section
      title="Guardrails"
      description={
        isGuarded && (
          <>
            Once an hour the server compares the units that pass a rule with those that fail it.{" "}
            {lookTime === null ? "It has not looked yet." : "It last looked "}
            {lookTime !== null && <Time time={lookTime} />}
            {lookTime !== null && "."}
          </>
        )
      }
    >
      {!isGuarded && (
        <Empty
          title="No guardrails"
          action={
            <Link to="/projects/$projectID/gates/$id" params={params} search={(known) => ({ ...known, tab: "details" })}>
              Set one in the details
            </Link>
          }
        >
          A guardrail says how much worse a metric may get for the units that pass. An alert is raised once more harm is certain, and can
          pause the gate’s automated rollouts. Set it where the monitoring metrics are named.
        </Empty>
      )}
      {error && <Notice tone="bad">{explain(error)}</Notice>}
      {isGuarded && isPending && <Loading label="Reading the guardrails" />}
      {isGuarded && data && <GuardrailTable gate={gate} rows={guardrailRows(gate, data.data.guardrails)} />}
    </Section>
  );
}

function GuardrailTable({ gate, rows }: Props & { rows: readonly GuardrailRow[] }) {
  return (
    <div className={entity.scroll}>
      <table className={entity.table} aria-label="Guardrails">
        <thead>
          <tr>
            <th scope="col">Metric</th>
            <th scope="col">Rule</th>
            <th scope="col">State</th>
            <th scope="col">Change, with its interval</th>
            <th scope="col">Guardrail</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.metricID} ${row.ruleID}`}>
              <th scope="row">
                <EntityLink type="metric" id={row.metricID} name={metricNameIn(gate, row.metricID)} />
              </th>
              <td>{row.ruleID === undefined ? "None" : <bdi>{ruleNameIn(gate, row.ruleID)}</bdi>}</td>
              <td>
                <Badge tone={TONES[row.state]}>{STATE_NAMES[row.state]}</Badge>
                {row.reason !== undefined && <div className={entity.soft}>{row.reason}</div>}
                {row.state === "holds" && <div className={entity.soft}>More harm than it allows is not certain.</div>}
                {row.state === "beyond" && <div className={entity.soft}>More harm than it allows is certain.</div>}
              </td>
              <td>{row.look === undefined ? "–" : <Found {...row.look} />}</td>
              <td>
                <Allowed {...row} />
                {row.look !== undefined && row.look.maxHarmPercent !== row.maxHarmPercent && (
                  <div className={entity.soft}>The last look compared with {row.look.maxHarmPercent} %.</div>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
