import { Plus } from "lucide-react";
import { useCallback, useMemo, useRef, useState } from "react";
import { GridList, GridListItem, useDragAndDrop } from "react-aria-components";
import { equal } from "../targeting/equal.ts";
import { addRule, moveRules, type RulesDraft } from "../targeting/rule-draft.ts";
import type { Fault, Rule } from "../targeting/types.ts";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/notice.tsx";
import { type EditRules, type Place, RuleCard, type ValuesOf } from "./rule-card.tsx";
import styles from "./rules.module.css";

type Props = {
  draft: RulesDraft;
  onChange: (draft: RulesDraft) => void;
  idType: string;
  environment: string | undefined;
  faults: readonly Fault[];
  /** Why the rules cannot be edited; undefined if they can. */
  disabledReason: string | undefined;
  /** For rules that give a value: the JSON Schema of the values. */
  values?: ValuesOf;
  /** What the rules belong to. */
  place?: Place;
};

/** The rules in the order of evaluation. They move by mouse, by keyboard and by their menus. */
export function RulesEditor({ draft, onChange, idType, environment, faults, disabledReason, values, place = "flag" }: Props) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const isReadOnly = disabledReason !== undefined;
  const latest = useRef({ draft, onChange });
  latest.current = { draft, onChange };
  const edit: EditRules = useCallback((change) => latest.current.onChange(change(latest.current.draft)), []);
  const toggle = useCallback(
    (key: string) => setOpen((known) => new Set(known.has(key) ? [...known].filter((one) => one !== key) : [...known, key])),
    [],
  );
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ "text/plain": nameOf(draft, String(key)) })),
    onReorder: ({ keys, target }) => {
      if (target.dropPosition !== "on") onChange(moveRules(draft, [...keys].map(String), String(target.key), target.dropPosition));
    },
  });
  const add = () => {
    const rule: Partial<Rule> = environment === undefined ? {} : { environments: [environment] };
    const added = addRule(draft, rule);
    onChange(added);
    const last = added.items.at(-1);
    if (last) setOpen((known) => new Set([...known, last.key]));
  };
  const button = (
    <Button onPress={add} disabledReason={disabledReason}>
      <Plus aria-hidden="true" />
      {environment === undefined ? "Add rule" : `Add rule for ${environment}`}
    </Button>
  );
  const faultsByRule = useFaultsByRule(faults);
  if (draft.items.length === 0)
    return (
      <Empty title="No rules" action={button}>
        {values
          ? "Everybody gets the default value. Add a rule for those who should get another one."
          : place === "segment"
            ? "Nobody is in it. Add a rule for those who should be."
            : "Nobody passes. Add a rule for those who should."}
      </Empty>
    );
  return (
    <>
      <GridList
        aria-label="Rules"
        className={styles.list ?? ""}
        // A list whose rules can be moved needs a handle in each, so it is another list than one that is only read.
        key={isReadOnly ? "read" : "edit"}
        {...(!isReadOnly && { dragAndDropHooks })}
        keyboardNavigationBehavior="tab"
        selectionMode="none"
      >
        {draft.items.map((item, index) => (
          <GridListItem
            key={item.key}
            id={item.key}
            textValue={item.rule.name || "Rule without a name"}
            className={`${styles.item} ${item.rule.isEnabled === false ? styles.off : ""}`}
          >
            <RuleCard
              item={item}
              index={index}
              count={draft.items.length}
              edit={edit}
              idType={idType}
              environment={environment}
              isOpen={open.has(item.key) && !isReadOnly}
              onToggle={toggle}
              faults={faultsByRule.get(index) ?? NONE}
              isReadOnly={isReadOnly}
              isNew={item.rule.id === undefined}
              values={values}
              place={place}
            />
          </GridListItem>
        ))}
      </GridList>
      <div>{button}</div>
    </>
  );
}

const nameOf = (draft: RulesDraft, key: string): string => draft.items.find((item) => item.key === key)?.rule.name ?? "";

const NONE: readonly Fault[] = [];

/** The faults of each rule. A rule whose faults are the same keeps the same list, so that it is not drawn again. */
function useFaultsByRule(faults: readonly Fault[]): ReadonlyMap<number, readonly Fault[]> {
  const known = useRef<ReadonlyMap<number, readonly Fault[]>>(new Map());
  return useMemo(() => {
    const byRule = new Map<number, Fault[]>();
    for (const fault of faults) {
      const index = Number(/^rules\[(\d+)\]/.exec(fault.property)?.[1] ?? -1);
      byRule.set(index, [...(byRule.get(index) ?? []), fault]);
    }
    const kept = new Map([...byRule].map(([index, list]) => [index, sameAs(known.current.get(index), list)] as const));
    known.current = kept;
    return kept;
  }, [faults]);
}

const sameAs = (known: readonly Fault[] | undefined, list: readonly Fault[]): readonly Fault[] =>
  known && equal(known, list) ? known : list;
