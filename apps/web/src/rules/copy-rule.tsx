import { useState } from "react";
import { Radio, RadioGroup } from "react-aria-components";
import { useEnvironmentNames } from "../shell/environments.ts";
import type { RuleItem } from "../targeting/rule-draft.ts";
import { type CopyMode, copyToEnvironments, isFor } from "../targeting/rule-environments.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Checkbox } from "../ui/field.tsx";
import own from "./copy-rule.module.css";
import type { EditRules } from "./edits.ts";
import styles from "./rules.module.css";

type Props = {
  item: RuleItem;
  environment: string | undefined;
  edit: EditRules;
  onClose: () => void;
};

/** Adds a rule to other environments, shared or as a separate copy. */
export default function CopyRule({ item: { key, rule }, environment, edit, onClose }: Props) {
  const environments = useEnvironmentNames();
  const from = environment ?? environments.find((name) => isFor(rule, name)) ?? "";
  const targets = environments.filter((name) => !isFor(rule, name));
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [mode, setMode] = useState<CopyMode>("share");
  const copy = () => {
    edit((draft) => copyToEnvironments(draft, from, chosen, mode, [key]).draft);
    onClose();
  };
  return (
    <Dialog
      title={`Copy ${rule.name} to other environments`}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button look="primary" onPress={copy} disabledReason={chosen.length === 0 ? "Choose an environment." : undefined}>
            Copy
          </Button>
        </>
      }
    >
      {targets.length === 0 ? (
        <p>The rule already applies in all environments.</p>
      ) : (
        <>
          <fieldset className={styles.conditions}>
            <legend className={styles.legend}>Environments</legend>
            {targets.map((name) => (
              <Checkbox
                key={name}
                isSelected={chosen.includes(name)}
                onChange={(isChosen) => setChosen(isChosen ? [...chosen, name] : chosen.filter((one) => one !== name))}
              >
                <bdi>{name}</bdi>
              </Checkbox>
            ))}
          </fieldset>
          <RadioGroup aria-label="How" value={mode} onChange={(value) => setMode(value as CopyMode)} className={styles.conditions ?? ""}>
            <Radio value="share" className={own.radio ?? ""}>
              One shared rule: later edits apply to all of them
            </Radio>
            <Radio value="copy" className={own.radio ?? ""}>
              A separate rule: edited on its own, with new random users
            </Radio>
          </RadioGroup>
        </>
      )}
    </Dialog>
  );
}
