import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { query } from "../api.ts";
import { useEnvironmentNames } from "../shell/environments.ts";
import { Section } from "../shell/page.tsx";
import {
  addOverrides,
  type OverrideRow,
  overrideFaults,
  overrideKey,
  removeOverrides,
  type Side,
  setSide,
  toOverrideLists,
  toOverrideRows,
} from "../targeting/override-draft.ts";
import { parseList } from "../targeting/parse-list.ts";
import type { OverrideLists } from "../targeting/types.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Select } from "../ui/choice.tsx";
import { TextField } from "../ui/field.tsx";
import { Empty, Notice } from "../ui/notice.tsx";
import styles from "./entity.module.css";

const EVERYWHERE = "everywhere";
const MAX_SHOWN = 200;

/** The effect on users who pass and users who fail, as a verb and as an outcome. */
export type OverrideWords = Readonly<
  Record<Side, { verb: string; outcome: string; tone: "good" | "bad" | "off"; let: (id: string) => string }>
>;

type Props = {
  idType: string;
  lists: OverrideLists;
  onChange: (lists: OverrideLists) => void;
  disabledReason: string | undefined;
  description: string;
  words: OverrideWords;
  /** Text for an empty list: the decision without an override. */
  empty: string;
};

/** Ids whose outcome is fixed. */
export function OverrideListsEditor({ idType, lists, onChange, disabledReason, description, words, empty }: Props) {
  const environments = useEnvironmentNames();
  const { data: units } = useQuery(query("listUnitIDTypes", { query: { limit: 1000 } }));
  const [environment, setEnvironment] = useState(EVERYWHERE);
  const [unit, setUnit] = useState(idType);
  const [side, setChosenSide] = useState<Side>("pass");
  const [text, setText] = useState("");
  const [note, setNote] = useState<string>();
  const rows = toOverrideRows(lists, idType);
  const unitNames = [...new Set([idType, "userID", ...(units?.data ?? []).map(({ name }) => name)])];
  const faults = overrideFaults(rows, idType, { environments, units: unitNames });
  const set = (changed: readonly OverrideRow[]) => onChange({ ...lists, ...toOverrideLists(changed, idType) } as OverrideLists);
  const add = () => {
    const { values, duplicates } = parseList(text);
    const place = { environment: environment === EVERYWHERE ? null : environment, unit };
    const { rows: changed, added, moved, unchanged } = addOverrides(rows, place, side, values);
    set(changed);
    setText("");
    const facts = [
      `${added} added`,
      ...(moved > 0 ? [`${moved} moved from the other list`] : []),
      ...(unchanged + duplicates > 0 ? [`${unchanged + duplicates} were there already`] : []),
    ];
    setNote(`${facts.join(", ")}.`);
  };
  return (
    <Section title="Overrides" description={description}>
      {disabledReason === undefined && (
        <div className={styles.card}>
          <div className={styles.row}>
            <Select
              label="Result"
              options={[
                { id: "pass", label: words.pass.verb },
                { id: "fail", label: words.fail.verb },
              ]}
              value={side}
              onChange={(chosen) => setChosenSide(chosen as Side)}
            />
            <Select
              label="Environment"
              options={[{ id: EVERYWHERE, label: "All environments" }, ...environments.map((id) => ({ id, label: id }))]}
              value={environment}
              onChange={setEnvironment}
            />
            <Select label="Unit ID type" options={unitNames.map((id) => ({ id, label: id }))} value={unit} onChange={setUnit} />
          </div>
          <TextField label="IDs" rows={3} value={text} onChange={setText} description="Separate IDs with line breaks, commas, or tabs." />
          <div className={styles.row}>
            <Button onPress={add} disabledReason={text.trim() === "" ? "Enter at least one ID." : undefined}>
              Add IDs
            </Button>
            {note !== undefined && <span role="status">{note}</span>}
          </div>
        </div>
      )}
      {faults.map(({ message, property, level }) => (
        <Notice key={`${property} ${message}`} tone={level === "error" ? "bad" : "warn"}>
          {message}
        </Notice>
      ))}
      {rows.length === 0 ? (
        <Empty title="No overrides">{empty}</Empty>
      ) : (
        <div className={styles.scroll}>
          <table className={styles.table} aria-label="Overrides">
            <thead>
              <tr>
                <th scope="col">ID</th>
                <th scope="col">Result</th>
                <th scope="col">Environment</th>
                <th scope="col">Unit ID type</th>
                <th scope="col">Change</th>
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, MAX_SHOWN).map((row) => (
                <tr key={overrideKey(row)}>
                  <th scope="row">
                    <bdi>{row.id}</bdi>
                  </th>
                  <td>
                    <Badge tone={words[row.side].tone}>{words[row.side].outcome}</Badge>
                  </td>
                  <td>
                    <bdi>{row.environment ?? "All environments"}</bdi>
                  </td>
                  <td>
                    <bdi>{row.unit}</bdi>
                  </td>
                  <td>
                    <div className={styles.row}>
                      <Button
                        look="quiet"
                        isDisabled={disabledReason !== undefined}
                        onPress={() => set(setSide(rows, [overrideKey(row)], row.side === "pass" ? "fail" : "pass"))}
                      >
                        {words[row.side === "pass" ? "fail" : "pass"].let(row.id)}
                      </Button>
                      <Button
                        look="quiet"
                        isDisabled={disabledReason !== undefined}
                        aria-label={`Remove ${row.id}`}
                        onPress={() => set(removeOverrides(rows, [overrideKey(row)]))}
                      >
                        Remove
                      </Button>
                    </div>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {rows.length > MAX_SHOWN && <p>and {rows.length - MAX_SHOWN} more</p>}
        </div>
      )}
    </Section>
  );
}
