import { MoreHorizontal } from "lucide-react";
import { Suspense, useState } from "react";
import { duplicateRule, moveRule, type RuleItem, removeRule, setEnabled } from "../targeting/rule-draft.ts";
import { isFor } from "../targeting/rule-environments.ts";
import { isOnIn, removeRuleFrom, setEnabledIn } from "../targeting/single-environment.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Switch } from "../ui/field.tsx";
import { type Action, Menu } from "../ui/menu.tsx";
import { soonDialog } from "../ui/soon.tsx";
import type { EditRules } from "./edits.ts";
import styles from "./rules.module.css";

const CopyRule = soonDialog(() => import("./copy-rule.tsx"));

type Props = {
  item: RuleItem;
  index: number;
  count: number;
  edit: EditRules;
  /** The chosen environment; undefined means all. */
  environment: string | undefined;
  /** The names of all environments. */
  environments: readonly string[];
  isShared: boolean;
  isOpen: boolean;
  onToggle: (key: string) => void;
  isReadOnly: boolean;
};

/** The switch of a rule and its actions. In the view of one environment, the switch and the removal act on that environment only. */
export function RuleActions({
  item: { key, rule },
  item,
  index,
  count,
  edit,
  environment,
  environments,
  isShared,
  isOpen,
  onToggle,
  isReadOnly,
}: Props) {
  const [isCopying, setCopying] = useState(false);
  const isOn = environment === undefined ? rule.isEnabled !== false : isOnIn(rule, environment);
  const last = count - 1;
  const remove: Action = { id: "remove", label: "Delete", isDangerous: true, onAction: () => edit((draft) => removeRule(draft, key)) };
  return (
    <div className={styles.side}>
      {!isReadOnly && (
        <Switch
          isSelected={isOn}
          onChange={(on) =>
            edit((draft) =>
              environment === undefined ? setEnabled(draft, key, on) : setEnabledIn(draft, key, environment, on, environments),
            )
          }
          aria-label={`${rule.name} is on${environment === undefined ? "" : ` in ${environment}`}`}
        />
      )}
      <Button
        look="quiet"
        onPress={() => onToggle(key)}
        aria-expanded={isOpen}
        aria-label={`${isOpen ? "Close" : "Edit"} ${rule.name}`}
        isDisabled={isReadOnly}
      >
        {isOpen ? "Close" : "Edit"}
      </Button>
      {!isReadOnly && (
        <Menu
          label={`More for ${rule.name}`}
          trigger={
            <IconButton label={`More for ${rule.name}`}>
              <MoreHorizontal aria-hidden="true" />
            </IconButton>
          }
          actions={[
            {
              id: "up",
              label: "Move up",
              onAction: () => edit((draft) => moveRule(draft, index, index - 1)),
              disabledReason: index === 0 ? "Already first" : undefined,
            },
            {
              id: "down",
              label: "Move down",
              onAction: () => edit((draft) => moveRule(draft, index, index + 1)),
              disabledReason: index === last ? "Already last" : undefined,
            },
            { id: "duplicate", label: "Duplicate", onAction: () => edit((draft) => duplicateRule(draft, key)) },
            { id: "copy", label: "Copy to other environments", onAction: () => setCopying(true) },
            ...(environment !== undefined && isShared && isFor(rule, environment)
              ? [
                  {
                    id: "withdraw",
                    label: `Remove from ${environment}`,
                    onAction: () => edit((draft) => removeRuleFrom(draft, key, environment, environments)),
                  },
                ]
              : []),
            isShared ? { ...remove, label: "Delete in all environments" } : remove,
          ]}
        />
      )}
      <Suspense>{isCopying && <CopyRule item={item} environment={environment} edit={edit} onClose={() => setCopying(false)} />}</Suspense>
    </div>
  );
}
