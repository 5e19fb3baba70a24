import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import styles from "./choice.module.css";

type ChoiceProps = {
  trigger: ReactNode;
  label: string;
  options: readonly { id: string; label: string }[];
  chosen: readonly string[];
  onChoose: (chosen: ReadonlySet<string>) => void;
};

/** A button, and a list of which any number can be chosen. It stays open. */
export function ChoiceMenu({ trigger, label, options, chosen, onChoose }: ChoiceProps) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover className={styles.popover ?? ""} placement="bottom end">
        <AriaMenu
          aria-label={label}
          className={styles.list ?? ""}
          items={options}
          selectionMode="multiple"
          selectedKeys={chosen}
          onSelectionChange={(keys) => onChoose(new Set(keys === "all" ? options.map(({ id }) => id) : [...keys].map(String)))}
        >
          {({ id, label: name }: { id: string; label: string }) => (
            <MenuItem id={id} textValue={name} className={styles.option ?? ""}>
              {({ isSelected }) => (
                <>
                  <bdi>{name}</bdi>
                  {isSelected && <Check aria-hidden="true" />}
                </>
              )}
            </MenuItem>
          )}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
