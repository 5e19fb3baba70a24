import { GripVertical } from "lucide-react";
import { memo, Suspense, useEffect, useRef, useState } from "react";
import { Button as AriaButton } from "react-aria-components";
import { Sentence } from "../shell/sentence.tsx";
import { isAudienceMissing, type RuleItem, renameRule, setPassPercentage } from "../targeting/rule-draft.ts";
import { isFor, otherEnvironments } from "../targeting/rule-environments.ts";
import { ruleSentence, scheduleSentence } from "../targeting/sentences.ts";
import type { Fault } from "../targeting/types.ts";
import { Badge } from "../ui/badge.tsx";
import { TextField } from "../ui/field.tsx";
import { NumberField } from "../ui/number-field.tsx";
import { soon } from "../ui/soon.tsx";
import type { EditRules, Place } from "./edits.ts";
import { RuleActions } from "./rule-actions.tsx";
import { RuleConditions } from "./rule-conditions.tsx";
import { RuleEnvironments } from "./rule-environments.tsx";
import styles from "./rules.module.css";

const RolloutEditor = soon(() => import("./rollout-editor.tsx"));
const SharedNotice = soon(() => import("./shared-notice.tsx"));
const ValueEditor = soon(() => import("./value-editor.tsx"));

type Props = {
  item: RuleItem;
  index: number;
  /** How many rules there are. */
  count: number;
  edit: EditRules;
  idType: string;
  /** The chosen environment; undefined means all. */
  environment: string | undefined;
  /** The names of all environments. */
  environments: readonly string[];
  isOpen: boolean;
  onToggle: (key: string) => void;
  /** Why the rule never decides; undefined if it does. */
  unreached: string | undefined;
  /** Faults of this rule. */
  faults: readonly Fault[];
  isReadOnly: boolean;
  isNew: boolean;
  /** For a rule that gives a value: the JSON Schema of the values. Undefined for rules that only pass. */
  values: ValueOptions | undefined;
  place: Place;
  /** Whether scheduled rollouts wait. */
  isPaused: boolean;
};

export type ValueOptions = { schema: string | null };

/** Whether the focus has left a part that was incomplete when it appeared. Until then, its faults are hidden. */
function useLeft(isIncomplete: boolean) {
  const part = useRef<HTMLDivElement>(null);
  const [isLeft, setLeft] = useState(!isIncomplete);
  useEffect(() => {
    if (isLeft) return;
    const onFocus = ({ target }: FocusEvent) => {
      // The lists of choices are elsewhere in the page.
      if (target instanceof Element && !part.current?.contains(target) && !target.closest("[role=listbox]")) setLeft(true);
    };
    document.addEventListener("focusin", onFocus);
    return () => document.removeEventListener("focusin", onFocus);
  }, [isLeft]);
  return [part, isLeft] as const;
}

/** A rule: its sentence, and when it is open, its editor. Of many rules, only the changed ones are drawn again. */
export const RuleCard = memo(function RuleCard({
  item,
  index,
  count,
  edit,
  idType,
  environment,
  environments,
  isOpen,
  onToggle,
  unreached,
  faults,
  isReadOnly,
  isNew,
  values,
  place,
  isPaused,
}: Props) {
  const { key, rule } = item;
  const prefix = `rules[${index}].`;
  const messageAt = (property: string, level: Fault["level"]) =>
    faults.find((fault) => fault.level === level && fault.property === `${prefix}${property}`)?.message;
  const faultAt = (property: string) => messageAt(property, "error");
  const reverted = messageAt("passPercentage", "warning");
  const [main, isLeft] = useLeft(isNew && isAudienceMissing(rule));
  const shown = isLeft ? faults : faults.filter(({ property }) => property !== `${prefix}conditions`);
  const hasFaults = shown.some(({ property, level }) => level === "error" && property.startsWith(prefix));
  const isElsewhere = environment !== undefined && !isFor(rule, environment);
  const isOff = rule.isEnabled === false;
  const others = environment === undefined ? [] : otherEnvironments(rule, environment, environments);
  const schedule = scheduleSentence(rule, { isPaused });
  return (
    <>
      {!isReadOnly && (
        <AriaButton slot="drag" className={styles.handle ?? ""} aria-label={`Move ${rule.name}`}>
          <GripVertical aria-hidden="true" />
        </AriaButton>
      )}
      <span className={styles.number}>{index + 1}</span>
      <div ref={main} className={`${styles.main} ${isElsewhere ? styles.elsewhere : ""}`}>
        <div className={styles.head}>
          <h3>
            <bdi>{rule.name || "Rule without a name"}</bdi>
          </h3>
          {isOff && <Badge tone="off">Switched off</Badge>}
          {isNew && <Badge tone="active">New</Badge>}
          {hasFaults && <Badge tone="bad">Not complete</Badge>}
          {isElsewhere && <Badge>Not in {environment}</Badge>}
        </div>
        <Sentence
          parts={ruleSentence(rule, {
            idType,
            all: environments,
            isNamed: true,
            outcome: values ? "value" : place === "segment" ? "member" : "pass",
          })}
        />
        {schedule.length > 0 && <Sentence parts={schedule} />}
        {unreached !== undefined && <span className={styles.warning}>{unreached}</span>}
        {isOpen && (
          <div className={styles.editor}>
            {environment !== undefined && others.length > 0 && (
              <Suspense>
                <SharedNotice {...{ item, edit, environment, environments, others }} />
              </Suspense>
            )}
            <div className={styles.row}>
              <div className={styles.grow}>
                <TextField
                  label="Name"
                  value={rule.name}
                  onChange={(name) => edit((draft) => renameRule(draft, key, name))}
                  error={faultAt("name")}
                />
              </div>
              <NumberField
                label="Pass percentage"
                value={rule.passPercentage}
                onChange={(value) => edit((draft) => setPassPercentage(draft, key, value))}
                minValue={0}
                maxValue={100}
                step={0.01}
                unit="%"
                error={faultAt("passPercentage")}
              />
            </div>
            {reverted !== undefined && (
              <span role="status" className={styles.warning}>
                {reverted}
              </span>
            )}
            <RuleConditions {...{ item, place, edit, prefix }} faults={shown} />
            <Suspense>{values && <ValueEditor item={item} edit={edit} schema={values.schema} faultAt={faultAt} />}</Suspense>
            <RuleEnvironments item={item} edit={edit} isNew={isNew} error={faultAt("environments")} />
            {place === "flag" && (
              <Suspense>
                <RolloutEditor
                  item={item}
                  edit={edit}
                  isPaused={isPaused}
                  faults={faults.filter(({ property }) => property.startsWith(`${prefix}pendingAutomatedRollouts`))}
                />
              </Suspense>
            )}
          </div>
        )}
      </div>
      <RuleActions
        {...{ item, index, count, edit, environment, environments, isOpen, onToggle, isReadOnly }}
        isShared={others.length > 0}
      />
    </>
  );
});
