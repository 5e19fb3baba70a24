import type { ReactNode } from "react";
import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover, Text } from "react-aria-components";
import styles from "./choice.module.css";
import own from "./menu.module.css";

export type Action = {
  id: string;
  label: string;
  hint?: string;
  onAction: () => void;
  isDangerous?: boolean;
  /** Why the action is not possible. It is then disabled, and shows the reason. */
  disabledReason?: string | undefined;
};

/** A button, and the actions that it offers. */
export function Menu({ trigger, actions, label }: { trigger: ReactNode; actions: readonly Action[]; label: string }) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover className={styles.popover ?? ""} placement="bottom end">
        <AriaMenu
          aria-label={label}
          className={styles.list ?? ""}
          items={actions}
          disabledKeys={actions.filter(({ disabledReason }) => disabledReason !== undefined).map(({ id }) => id)}
          onAction={(key) => actions.find(({ id }) => id === key)?.onAction()}
        >
          {(action: Action) => (
            <MenuItem
              id={action.id}
              textValue={action.label}
              className={`${styles.option} ${own.item} ${action.isDangerous ? own.dangerous : ""}`}
            >
              <Text slot="label">{action.label}</Text>
              {(action.disabledReason ?? action.hint) !== undefined && (
                <Text slot="description" className={styles.hint ?? ""}>
                  {action.disabledReason ?? action.hint}
                </Text>
              )}
            </MenuItem>
          )}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
