import { Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { GridList, GridListItem, useDragAndDrop } from "react-aria-components";
import { addRule, moveRules, type RulesDraft } from "../targeting/rule-draft.ts";
import type { Fault, Rule } from "../targeting/types.ts";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/notice.tsx";
import { RuleCard } from "./rule-card.tsx";
import styles from "./rules.module.css";

type Props = {
  draft: RulesDraft;
  onChange: (draft: RulesDraft) => void;
  idType: string;
  environment: string | undefined;
  faults: readonly Fault[];
  /** Why the rules cannot be edited; undefined if they can. */
  disabledReason: string | undefined;
};

/** The rules in the order of evaluation. They move by mouse, by keyboard and by their menus. */
export function RulesEditor({ draft, onChange, idType, environment, faults, disabledReason }: Props) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const isReadOnly = disabledReason !== undefined;
  const toggle = (key: string) => setOpen((known) => new Set(known.has(key) ? [...known].filter((one) => one !== key) : [...known, key]));
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
  const dependencies = useMemo(() => [draft, open, environment, faults, isReadOnly], [draft, open, environment, faults, isReadOnly]);
  if (draft.items.length === 0)
    return (
      <Empty title="No rules" action={button}>
        Nobody passes. Add a rule for those who should.
      </Empty>
    );
  return (
    <>
      <GridList
        aria-label="Rules"
        className={styles.list ?? ""}
        items={[...draft.items].map((item) => ({ ...item, id: item.key }))}
        dependencies={dependencies}
        // A list whose rules can be moved needs a handle in each, so it is another list than one that is only read.
        key={isReadOnly ? "read" : "edit"}
        {...(!isReadOnly && { dragAndDropHooks })}
        keyboardNavigationBehavior="tab"
        selectionMode="none"
      >
        {(item) => (
          <GridListItem
            id={item.key}
            textValue={item.rule.name || "Rule without a name"}
            className={`${styles.item} ${item.rule.isEnabled === false ? styles.off : ""}`}
          >
            <RuleCard
              item={item}
              index={draft.items.findIndex(({ key }) => key === item.key)}
              draft={draft}
              onChange={onChange}
              idType={idType}
              environment={environment}
              isOpen={open.has(item.key) && !isReadOnly}
              onToggle={() => toggle(item.key)}
              faults={faults}
              isReadOnly={isReadOnly}
              isNew={item.rule.id === undefined}
            />
          </GridListItem>
        )}
      </GridList>
      <div>{button}</div>
    </>
  );
}

const nameOf = (draft: RulesDraft, key: string): string => draft.items.find((item) => item.key === key)?.rule.name ?? "";
