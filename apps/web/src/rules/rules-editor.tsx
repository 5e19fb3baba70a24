import { Plus } from "lucide-react";
import { useCallback, useMemo, useRef, useState } from "react";
import { useEnvironments } from "../shell/environments.ts";
import { equal } from "../targeting/equal.ts";
import { addRule, type RulesDraft, toRules } from "../targeting/rule-draft.ts";
import { startingEnvironments } from "../targeting/rule-environments.ts";
import type { Fault } from "../targeting/types.ts";
import { unreachedRules, unreachedText } from "../targeting/unreached-rules.ts";
import { Button } from "../ui/button.tsx";
import { focusSoon } from "../ui/focus-soon.ts";
import { Empty } from "../ui/notice.tsx";
import type { EditRules, Place } from "./edits.ts";
import type { ValueOptions } from "./rule-card.tsx";
import { RuleList } from "./rule-list.tsx";

type Props = {
  draft: RulesDraft;
  onChange: (draft: RulesDraft) => void;
  idType: string;
  environment: string | undefined;
  faults: readonly Fault[];
  /** Why the rules cannot be edited; undefined if they can. */
  disabledReason: string | undefined;
  /** For rules that give a value: the JSON Schema of the values. */
  values?: ValueOptions;
  /** The owner of the rules. */
  place?: Place;
  /** Whether scheduled rollouts wait. */
  isPaused?: boolean;
};

/** The rules in the order of evaluation. They move by mouse, by keyboard and by their menus. */
export function RulesEditor(props: Props) {
  const { draft, onChange, idType, environment, faults, disabledReason, values, place = "flag", isPaused = false } = props;
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const shown = useRef<ReadonlySet<string>>(new Set());
  const isReadOnly = disabledReason !== undefined;
  const all = useEnvironments();
  const environments = useMemo(() => all.map(({ name }) => name), [all]);
  const latest = useRef({ draft, onChange });
  latest.current = { draft, onChange };
  const edit: EditRules = useCallback((change) => latest.current.onChange(change(latest.current.draft)), []);
  const toggle = useCallback(
    (key: string) => setOpen((known) => new Set(known.has(key) ? [...known].filter((one) => one !== key) : [...known, key])),
    [],
  );
  const add = () => {
    const added = addRule(draft, {
      environments: environment === undefined ? startingEnvironments(all) : [environment],
      needsAudience: true,
    });
    onChange(added);
    const last = added.items.at(-1);
    if (last === undefined) return;
    setOpen((known) => new Set([...known, last.key]));
    focusSoon(`[data-key="${CSS.escape(last.key)}"] input[type=text]`);
  };
  const button = (
    <Button onPress={add} disabledReason={disabledReason}>
      <Plus aria-hidden="true" />
      {environment === undefined ? "Add rule" : `Add rule for ${environment}`}
    </Button>
  );
  const faultsByRule = useFaultsByRule(faults);
  const refused = draft.items.filter((_, index) => faultsByRule.get(index)?.some(({ property }) => OF_VALUE.test(property)));
  const unseen = refused.filter(({ key }) => !open.has(key) && !shown.current.has(key)).map(({ key }) => key);
  if (unseen.length > 0) setOpen(new Set([...open, ...unseen]));
  shown.current = new Set(refused.map(({ key }) => key));
  const unreached = useMemo(() => unreachedRules(toRules(draft)), [draft]);
  const textOf = (deciding: readonly number[] | undefined) => (deciding === undefined ? undefined : unreachedText(deciding));
  const cards = new Map(
    draft.items.map((item, index) => [
      item.key,
      {
        ...{ item, index, edit, idType, environment, environments, isReadOnly, values, place, isPaused },
        count: draft.items.length,
        isOpen: open.has(item.key) && !isReadOnly,
        onToggle: toggle,
        unreached: textOf(unreached.get(index)),
        faults: faultsByRule.get(index) ?? NONE,
        isNew: item.rule.id === undefined,
      },
    ]),
  );
  if (draft.items.length === 0)
    return (
      <Empty title="No rules" action={button}>
        {values
          ? "Everyone gets the default value. Add a rule to return another value to some users."
          : place === "segment"
            ? "The segment is empty. Add a rule to include users."
            : "Off for everyone. Add a rule to turn it on for some users."}
      </Empty>
    );
  return (
    <>
      <RuleList items={draft.items} cards={cards} edit={edit} isReadOnly={isReadOnly} />
      <div>{button}</div>
    </>
  );
}

const NONE: readonly Fault[] = [];

/** A fault that the server finds in a value. The rule is opened, since only the editor of the value shows it. */
const OF_VALUE = /\.returnValue\b/;

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
