import { Trash2 } from "lucide-react";
import ConditionRow from "../../rules/condition-row.tsx";
import type { EditRules } from "../../rules/edits.ts";
import { RuleEnvironments } from "../../rules/rule-environments.tsx";
import styles from "../../rules/rules.module.css";
import { newCondition } from "../../targeting/condition-draft.ts";
import { addCondition, chooseEveryone, isAudienceMissing, type RuleItem, removeRule, renameRule } from "../../targeting/rule-draft.ts";
import type { Fault } from "../../targeting/types.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import own from "./release-pipelines.module.css";

type Props = {
  item: RuleItem;
  edit: EditRules;
  /** Faults of the phase, and the start of the rule's property in them. */
  faults: readonly Fault[];
  prefix: string;
};

/** A rule of a phase: the users that it adds, and where. */
export function PhaseRule({ item: { key, rule, conditionKeys }, item, edit, faults, prefix }: Props) {
  const faultAt = (property: string) => faults.find((fault) => fault.property === `${prefix}${property}`)?.message;
  const needsAudience = isAudienceMissing(rule);
  return (
    <fieldset className={own.rule} aria-label={rule.name || "Rule without a name"}>
      <div className={styles.row}>
        <div className={styles.grow}>
          <TextField
            label="Rule name"
            value={rule.name}
            onChange={(name) => edit((draft) => renameRule(draft, key, name))}
            error={faultAt("name")}
          />
        </div>
        <IconButton label={`Remove ${rule.name}`} onPress={() => edit((draft) => removeRule(draft, key))}>
          <Trash2 aria-hidden="true" />
        </IconButton>
      </div>
      <fieldset className={styles.conditions}>
        <legend className={styles.legend}>
          {needsAudience ? "Audience" : rule.conditions.length > 1 ? "Match all conditions" : "Conditions"}
        </legend>
        {rule.conditions.map((condition, at) => (
          <ConditionRow
            key={conditionKeys[at] ?? at}
            {...{ condition, edit, faults }}
            place="flag"
            index={at}
            ruleKey={key}
            prefix={`${prefix}conditions[${at}].`}
          />
        ))}
        {needsAudience && <span className={styles.fault}>{faultAt("conditions")}</span>}
        {rule.conditions.length === 0 && !needsAudience && (
          <span className={styles.note}>Applies to everyone until you add a condition.</span>
        )}
        <div className={styles.row}>
          {needsAudience && <Button onPress={() => edit((draft) => chooseEveryone(draft, key))}>Everyone</Button>}
          <Button onPress={() => edit((draft) => addCondition(draft, key, newCondition("user_id")))}>Add condition</Button>
        </div>
      </fieldset>
      <RuleEnvironments item={item} edit={edit} isNew={false} error={faultAt("environments")} />
    </fieldset>
  );
}
