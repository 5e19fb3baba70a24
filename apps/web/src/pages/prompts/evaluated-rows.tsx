import type { Schema } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { Badge } from "../../ui/badge.tsx";
import { scoreText } from "./evaluation-words.ts";

type Row = Schema<"PromptEvaluationRow">;

/** Rows of an evaluation: what the model was asked, what it answered, and the scores. */
export function EvaluatedRows({ rows, graders }: { rows: readonly Row[]; graders: readonly string[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className={entity.scroll} tabIndex={0} aria-label="Table of rows">
      <table className={entity.table} aria-label="Rows">
        <thead>
          <tr>
            <th scope="col">Row</th>
            <th scope="col">Input</th>
            <th scope="col">Expected output</th>
            <th scope="col">Output</th>
            {graders.map((name) => (
              <th key={name} scope="col">
                <bdi>{name}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((one) => (
            <tr key={one.row}>
              <th scope="row">{one.row}</th>
              <td>
                {Object.entries(one.input).map(([name, value]) => (
                  <div key={name}>
                    <span className={entity.soft}>
                      <bdi>{name}</bdi>:
                    </span>{" "}
                    <bdi>{value}</bdi>
                  </div>
                ))}
              </td>
              <td>
                <bdi>{one.expected}</bdi>
              </td>
              <td>
                <Output of={one} />
              </td>
              {graders.map((name) => (
                <td key={name}>
                  <Score of={one.scores.find(({ grader }) => grader === name)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Output({ of: { status, output, message } }: { of: Row }) {
  if (status === "PENDING") return <Badge tone="off">No output</Badge>;
  if (status === "COMPLETED") return <bdi>{output}</bdi>;
  return (
    <>
      <Badge tone="bad">Failed</Badge>
      <div>{message}</div>
    </>
  );
}

function Score({ of }: { of: Row["scores"][number] | undefined }) {
  return (
    <>
      {scoreText(of?.score)}
      {of?.reason != null && <div className={entity.soft}>{of.reason}</div>}
    </>
  );
}
