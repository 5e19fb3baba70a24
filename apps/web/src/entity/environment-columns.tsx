import type { SwitchProps } from "react-aria-components";
import type { Schema } from "../api.ts";
import { environmentState, isOffIn, type Switchable } from "../targeting/environment-state.ts";
import { Switch } from "../ui/field.tsx";
import type { TableColumn } from "../ui/table.tsx";
import styles from "./environment-columns.module.css";
import type { EnvironmentSwitch } from "./use-environment-switch.tsx";

const MIN_WIDTH_PX = 136;

/**
 * A column for each environment, or for the chosen one, with a switch and the state of a gate or dynamic config there. Every percentage fits its column.
 * @param nobody the text where no rule passes users
 */
export function environmentColumns<Flag extends Switchable & { id: string; name: string }>(
  environments: readonly Schema<"Environment">[],
  chosen: string | undefined,
  { onSwitch, disabledReason }: Pick<EnvironmentSwitch, "onSwitch" | "disabledReason">,
  nobody?: string,
): TableColumn<Flag>[] {
  return environments
    .filter(({ name }) => chosen === undefined || name === chosen)
    .map(({ name: environment }) => ({
      ...{ id: `environment:${environment}`, name: environment, width: "1fr", minWidth: MIN_WIDTH_PX },
      cell: (flag) => {
        const { text, lead, rules = text, rest, isOn } = environmentState(flag, environment, nobody);
        const { id, name } = flag;
        const fixed = disabledReason ?? offEverywhere(flag);
        return (
          <span className={styles.cell}>
            <span title={fixed}>
              <Switch
                aria-label={`${name} in ${environment}`}
                isSelected={!isOffIn(flag, environment)}
                onChange={(isTurnedOn) => onSwitch({ id, name, environment, isOn: isTurnedOn })}
                isDisabled={fixed !== undefined}
                onKeyDown={keepSpace}
              />
            </span>
            <span className={`${styles.state} ${isOn ? "" : styles.off}`} title={text}>
              <span className={styles.rules}>
                {lead !== undefined && <span>{lead}</span>}
                <bdi>{rules}</bdi>
              </span>
              {rest !== undefined && <span>{rest}</span>}
            </span>
          </span>
        );
      },
    }));
}

/** Space belongs to the switch: the row would be selected. Other keys move in the table. */
function keepSpace(event: Parameters<NonNullable<SwitchProps["onKeyDown"]>>[0]) {
  if (event.key !== " ") event.continuePropagation();
}

/** Why no switch of it has an effect; undefined if they have. */
function offEverywhere({ status, isEnabled }: Switchable): string | undefined {
  if (status === "Archived") return "Archived. Unarchive it first.";
  return isEnabled ? undefined : "Off in all environments. Enable it first.";
}
