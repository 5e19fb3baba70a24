import { useState } from "react";
import { useEnvironments } from "../shell/environments.ts";
import { copyEnvironment } from "../targeting/copy-environment.ts";
import { isOffIn, type Switchable } from "../targeting/environment-state.ts";
import type { RulesDraft } from "../targeting/rule-draft.ts";
import { Button } from "../ui/button.tsx";
import { Select } from "../ui/choice.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { listed } from "../ui/list-text.ts";
import { Notice } from "../ui/notice.tsx";
import styles from "./rules.module.css";

type Props = {
  noun: string;
  flag: Switchable;
  rules: RulesDraft;
  from: string;
  onCopy: (rules: RulesDraft) => void;
  onClose: () => void;
};

const quoted = (names: readonly string[]): string => listed(names.map((name) => `“${name}”`));

/** Replaces the rules of an environment by those of another, in the draft. Says what happens to each rule. */
export default function CopyEnvironment({ noun, flag, rules, from, onCopy, onClose }: Props) {
  const targets = useEnvironments().flatMap(({ name }) => (name === from ? [] : [name]));
  const [to, setTo] = useState(targets[0] ?? "");
  const { draft, added, withdrawn, deleted, conditional } = copyEnvironment(rules, from, to);
  const isSame = added.length + withdrawn.length + deleted.length === 0;
  return (
    <Dialog
      title={`Copy the rules of ${from}`}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            look="primary"
            disabledReason={isSame ? `${to} already has these rules.` : undefined}
            onPress={() => {
              onCopy(draft);
              onClose();
            }}
          >
            Copy
          </Button>
        </>
      }
    >
      <Select label="To" options={targets.map((id) => ({ id, label: id }))} value={to} onChange={setTo} />
      {isSame ? (
        <p>
          <bdi>{to}</bdi> already has these rules.
        </p>
      ) : (
        <>
          <p>
            <bdi>{to}</bdi> gets exactly the rules of <bdi>{from}</bdi>. Other environments stay as they are.
          </p>
          <ul className={styles.conditions} aria-label="Changes">
            {added.length > 0 && (
              <li>
                Added to <bdi>{to}</bdi>: {quoted(added)}.
              </li>
            )}
            {withdrawn.length > 0 && (
              <li>
                Removed from <bdi>{to}</bdi>: {quoted(withdrawn)}.
              </li>
            )}
            {deleted.length > 0 && (
              <li>
                Deleted (used only in <bdi>{to}</bdi>): {quoted(deleted)}.
              </li>
            )}
          </ul>
          <p>Both environments then share these rules. An edit changes both.</p>
        </>
      )}
      {conditional.length > 0 && (
        <Notice tone="warn">
          Rules with a condition on the environment: {quoted(conditional)}. Check that they match in <bdi>{to}</bdi>.
        </Notice>
      )}
      {isOffIn(flag, to) && (
        <Notice>
          The {noun} stays off in <bdi>{to}</bdi>.
        </Notice>
      )}
      <p>{noun === "gate" ? "Overrides aren’t copied. " : ""}You review the changes before you save them.</p>
    </Dialog>
  );
}
