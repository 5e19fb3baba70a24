import { useState } from "react";
import entity from "../entity/entity.module.css";
import { useEnvironmentNames } from "../shell/environments.ts";
import { Sentence } from "../shell/sentence.tsx";
import type { RuleItem, RulesDraft } from "../targeting/rule-draft.ts";
import { compareEnvironments, copyToEnvironments, type EnvironmentRow } from "../targeting/rule-environments.ts";
import { ruleSentence } from "../targeting/sentences.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Select } from "../ui/choice.tsx";
import styles from "./rules.module.css";

type Props = { draft: RulesDraft; onChange: (draft: RulesDraft) => void; idType: string; disabledReason: string | undefined };

const STATES: Record<EnvironmentRow["state"], string> = {
  shared: "One rule for both",
  equal: "Two rules with the same effect",
  different: "Differ",
  "only-a": "Only here",
  "only-b": "Only here",
};

/** The rules of two environments side by side, and a way to copy rules from one to the other. */
export default function CompareEnvironments({ draft, onChange, idType, disabledReason }: Props) {
  const environments = useEnvironmentNames();
  const [a, setA] = useState(environments[0] ?? "");
  const [b, setB] = useState(environments.at(-1) ?? "");
  const rows = compareEnvironments(draft, a, b);
  const options = environments.map((id) => ({ id, label: id }));
  const copy = (from: string, to: string, mode: "share" | "copy") => onChange(copyToEnvironments(draft, from, [to], mode).draft);
  return (
    <div className={entity.card}>
      <div className={styles.row}>
        <Select label="Compare" options={options} value={a} onChange={setA} />
        <Select label="with" options={options} value={b} onChange={setB} />
        <Button onPress={() => copy(a, b, "share")} disabledReason={disabledReason}>
          Share the rules of {a} with {b}
        </Button>
        <Button onPress={() => copy(a, b, "copy")} disabledReason={disabledReason}>
          Duplicate the rules of {a} for {b}
        </Button>
      </div>
      <div className={entity.scroll}>
        <table className={entity.table} aria-label={`Rules of ${a} and ${b}`}>
          <thead>
            <tr>
              <th scope="col">{a}</th>
              <th scope="col">{b}</th>
              <th scope="col">Difference</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={`${row.a?.key} ${row.b?.key}`}>
                <td>{row.a && <RuleSummary item={row.a} idType={idType} all={environments} />}</td>
                <td>{row.b && <RuleSummary item={row.b} idType={idType} all={environments} />}</td>
                <td>
                  <Badge tone={row.state === "shared" || row.state === "equal" ? "good" : "warn"}>{STATES[row.state]}</Badge>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length === 0 && <p>No rules in either environment.</p>}
    </div>
  );
}

function RuleSummary({ item: { rule }, idType, all }: { item: RuleItem; idType: string; all: readonly string[] }) {
  return (
    <>
      <strong>
        <bdi>{rule.name}</bdi>
      </strong>{" "}
      <Sentence parts={ruleSentence(rule, { idType, all, isNamed: true })} />
    </>
  );
}
