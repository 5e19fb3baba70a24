import { useEnvironments } from "../shell/environments.ts";
import { type RuleItem, type RulesDraft, setEnvironments } from "../targeting/rule-draft.ts";
import { Checkbox } from "../ui/field.tsx";
import styles from "./rules.module.css";

type Props = { item: RuleItem; draft: RulesDraft; onChange: (draft: RulesDraft) => void; error: string | undefined };

/** Where a rule counts. Always visible, so that nobody changes an environment that they do not see. */
export function RuleEnvironments({ item: { key, rule }, draft, onChange, error }: Props) {
  const environments = useEnvironments();
  const chosen = rule.environments ?? [];
  const isEverywhere = rule.environments === null || rule.environments === undefined;
  const toggle = (name: string, isChosen: boolean) => {
    const names = isEverywhere ? environments.map((one) => one.name) : chosen;
    onChange(setEnvironments(draft, key, isChosen ? [...names, name] : names.filter((one) => one !== name)));
  };
  return (
    <fieldset className={styles.conditions}>
      <legend className={styles.legend}>Environments</legend>
      <div className={styles.row}>
        <Checkbox
          isSelected={isEverywhere}
          onChange={(isAll) => onChange(setEnvironments(draft, key, isAll ? null : environments.map(({ name }) => name)))}
        >
          All, also future ones
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
