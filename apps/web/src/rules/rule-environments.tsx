import { useEnvironments } from "../shell/environments.ts";
import { type RuleItem, setEnvironments } from "../targeting/rule-draft.ts";
import { Checkbox } from "../ui/field.tsx";
import type { EditRules } from "./edits.ts";
import styles from "./rules.module.css";

type Props = { item: RuleItem; edit: EditRules; error: string | undefined };

/** The rule's environments. Always visible, so that people see every environment they change. */
export function RuleEnvironments({ item: { key, rule }, edit, error }: Props) {
  const environments = useEnvironments();
  const chosen = rule.environments ?? [];
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
      {error !== undefined && <span className={styles.fault}>{error}</span>}
    </fieldset>
  );
}
