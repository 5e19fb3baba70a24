import { Trash2 } from "lucide-react";
import type { EditRules } from "../../rules/edits.ts";
import { RuleConditions } from "../../rules/rule-conditions.tsx";
import { RuleEnvironments } from "../../rules/rule-environments.tsx";
import styles from "../../rules/rules.module.css";
import { type RuleItem, removeRule, renameRule } from "../../targeting/rule-draft.ts";
import type { Fault } from "../../targeting/types.ts";
import { IconButton } from "../../ui/button.tsx";
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
export function PhaseRule({ item: { key, rule }, item, edit, faults, prefix }: Props) {
  const faultAt = (property: string) => faults.find((fault) => fault.property === `${prefix}${property}`)?.message;
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
      <RuleConditions {...{ item, edit, faults, prefix }} place="flag" />
      <RuleEnvironments item={item} edit={edit} isNew={false} error={faultAt("environments")} />
    </fieldset>
  );
}
