import entity from "../entity/entity.module.css";
import { EntityLink } from "../shell/entity-link.tsx";
import { Badge, type Tone } from "../ui/badge.tsx";
import { Allowed, Found } from "./guardrail-numbers.tsx";
import { type Guarded, type GuardrailState, guardrailRows, metricNameIn, type ShownCheck, STATE_NAMES } from "./guardrail-words.ts";

/** A check does not change a gate or experiment. */
export const REFRESH_MS = 60_000;

export const STATE_TONES: Readonly<Record<GuardrailState, Tone>> = { holds: "good", beyond: "bad", unknown: "off" };
const PARTS: Record<Guarded["part"], string> = { rule: "Rule", group: "Group" };

/** Each guardrail, with the result of the last check. */
export function GuardrailTable({ guarded, checks }: { guarded: Guarded; checks: readonly ShownCheck[] }) {
  const { metrics, part, nameOfPart } = guarded;
  return (
    <div className={entity.scroll}>
      <table className={entity.table} aria-label="Guardrails">
        <thead>
          <tr>
            <th scope="col">Metric</th>
            <th scope="col">{PARTS[part]}</th>
            <th scope="col">State</th>
            <th scope="col">Change, with interval over all checks</th>
            <th scope="col">Guardrail</th>
          </tr>
        </thead>
        <tbody>
          {guardrailRows(guarded, checks).map((row) => (
            <tr key={`${row.metricID} ${row.partID}`}>
              <th scope="row">
                <EntityLink type="metric" id={row.metricID} name={metricNameIn(metrics, row.metricID)} />
              </th>
              <td>{row.partID === undefined ? "None" : <bdi>{nameOfPart(row.partID)}</bdi>}</td>
              <td>
                <Badge tone={STATE_TONES[row.state]}>{STATE_NAMES[row.state]}</Badge>
                {row.reason !== undefined && <div className={entity.soft}>{row.reason}</div>}
                {row.state === "holds" && <div className={entity.soft}>Within the limit so far.</div>}
                {row.state === "beyond" && <div className={entity.soft}>Significantly worse than the limit.</div>}
              </td>
              <td>{row.check === undefined ? "–" : <Found part={part} {...row.check} />}</td>
              <td>
                <Allowed part={part} {...row} />
                {row.check !== undefined && row.check.maxHarmPercent !== row.maxHarmPercent && (
                  <div className={entity.soft}>Compared in the last check with {row.check.maxHarmPercent}%.</div>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
