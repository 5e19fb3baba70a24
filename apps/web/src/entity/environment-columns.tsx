import type { Schema } from "../api.ts";
import { environmentState, type Switchable } from "../targeting/environment-state.ts";
import type { TableColumn } from "../ui/table.tsx";
import styles from "./environment-columns.module.css";

const MIN_WIDTH_PX = 130;

/**
 * A column for each environment, or for the chosen one, with the state of a gate or dynamic config there. Percentages are never cut.
 * @param nobody the text where no rule passes users
 */
export function environmentColumns<Flag extends Switchable>(
  environments: readonly Schema<"Environment">[],
  chosen: string | undefined,
  nobody?: string,
): TableColumn<Flag>[] {
  return environments
    .filter(({ name }) => chosen === undefined || name === chosen)
    .map(({ name }) => ({
      ...{ id: `environment:${name}`, name, width: "1fr", minWidth: MIN_WIDTH_PX },
      cell: (flag) => {
        const { text, lead, rules = text, rest, isOn } = environmentState(flag, name, nobody);
        return (
          <span className={`${styles.state} ${isOn ? "" : styles.off}`} title={text}>
            <span className={styles.rules}>
              {lead !== undefined && <span>{lead}</span>}
              <bdi>{rules}</bdi>
            </span>
            {rest !== undefined && <span>{rest}</span>}
          </span>
        );
      },
    }));
}
