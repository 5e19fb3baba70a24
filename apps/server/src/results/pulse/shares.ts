import type { Schema } from "@gatehouse/contract/console";
import { FAIL, PASS } from "../sql/exposed.ts";

/** The share of units that are to be in each group, 0–1, by its id. */
export type Shares = Record<string, number>;

/** The groups' shares of all units that the experiment could take. */
export function sharesOfGroups({ groups, allocation }: Pick<Schema<"Experiment">, "groups" | "allocation">): Shares {
  return Object.fromEntries(groups.flatMap(({ id, size }) => (id ? [[id, (allocation / 100) * (size / 100)]] : [])));
}

/** The shares of all units that meet a gate's rule or a holdout. */
export function sharesOfPassing({ passPercentage }: { passPercentage: number }): Shares {
  return { [PASS]: passPercentage / 100, [FAIL]: 1 - passPercentage / 100 };
}
