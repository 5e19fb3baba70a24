import { newCondition } from "../targeting/condition-draft.ts";
import { addCondition, chooseEveryone, isAudienceMissing, type RuleItem } from "../targeting/rule-draft.ts";
import type { Fault } from "../targeting/types.ts";
import { Button } from "../ui/button.tsx";
import { soon } from "../ui/soon.tsx";
import type { EditRules, Place } from "./edits.ts";
import styles from "./rules.module.css";

const ConditionRow = soon(() => import("./condition-row.tsx"));

type Props = {
  item: RuleItem;
  place: Place;
  edit: EditRules;
  /** Faults, and the start of the rule's properties in them. */
  faults: readonly Fault[];
  prefix: string;
};

/** The conditions of a rule. A new rule first asks for its audience. */
export function RuleConditions({ item: { key, rule, conditionKeys }, place, edit, faults, prefix }: Props) {
  const needsAudience = isAudienceMissing(rule);
  return (
    <fieldset className={styles.conditions}>
      <legend className={styles.legend}>
        {needsAudience ? "Audience" : rule.conditions.length > 1 ? "Match all conditions" : "Conditions"}
      </legend>
      {rule.conditions.map((condition, at) => (
        <ConditionRow
          key={conditionKeys[at] ?? at}
          {...{ condition, place, edit, faults }}
          index={at}
          ruleKey={key}
          prefix={`${prefix}conditions[${at}].`}
        />
      ))}
      {needsAudience && <span className={styles.fault}>{faults.find(({ property }) => property === `${prefix}conditions`)?.message}</span>}
      {rule.conditions.length === 0 && !needsAudience && (
        <span className={styles.note}>Applies to everyone until you add a condition.</span>
      )}
      <div className={styles.row}>
        {needsAudience && <Button onPress={() => edit((draft) => chooseEveryone(draft, key))}>Everyone</Button>}
        <Button onPress={() => edit((draft) => addCondition(draft, key, newCondition("user_id")))}>Add condition</Button>
      </div>
    </fieldset>
  );
}
