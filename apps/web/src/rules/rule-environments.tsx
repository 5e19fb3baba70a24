import { useEnvironments } from "../shell/environments.ts";
import { type RuleItem, setEnvironments } from "../targeting/rule-draft.ts";
import { isFor } from "../targeting/rule-environments.ts";
import { Checkbox } from "../ui/field.tsx";
import type { EditRules } from "./edits.ts";
import styles from "./rules.module.css";

type Props = { item: RuleItem; edit: EditRules; isNew: boolean; error: string | undefined };

/** The rule's environments. Always visible, so that people see every environment they change. */
export function RuleEnvironments({ item: { key, rule }, edit, isNew, error }: Props) {
  const environments = useEnvironments();
  const chosen = rule.environments ?? [];
  const isOffInProduction = environments.some(({ name, isProduction }) => isProduction && !isFor(rule, name));
  const isEverywhere = rule.environments === null || rule.environments === undefined;
  const toggle = (name: string, isChosen: boolean) => {
    const names = isEverywhere ? environments.map((one) => one.name) : chosen;
    edit((draft) => setEnvironments(draft, key, isChosen ? [...names, name] : names.filter((one) => one !== name)));
  };
  return (
    <fieldset className={styles.conditions}>
      <legend className={styles.legend}>Environments</legend>
      <div className={styles.row}>
        <Checkbox
          isSelected={isEverywhere}
          onChange={(isAll) => edit((draft) => setEnvironments(draft, key, isAll ? null : environments.map(({ name }) => name)))}
        >
          All environments (including new ones)
        </Checkbox>
        {environments.map(({ name }) => (
          <Checkbox
            key={name}
            isSelected={isEverywhere || chosen.includes(name)}
            isDisabled={isEverywhere}
            onChange={(isChosen) => toggle(name, isChosen)}
          >
            <bdi>{name}</bdi>
          </Checkbox>
        ))}
      </div>
      {isNew && isOffInProduction && (
        <span className={styles.note}>New rules are off in production. Select a production environment to turn this rule on there.</span>
      )}
      {error !== undefined && <span className={styles.fault}>{error}</span>}
    </fieldset>
  );
}
