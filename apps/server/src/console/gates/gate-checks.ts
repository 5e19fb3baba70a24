import type { WritableSchema } from "@gatehouse/contract/evaluation";

type LoggedEvent = WritableSchema<"EventBatch">["events"][number];

const HOUR = 60 * 60 * 1000;
/** How long ago a check counts as lately, ms. */
export const LATELY = 7 * 24 * HOUR;

/** How often a gate was checked in an hour and environment, by what the checks answered. */
export type GateChecks = {
  gateID: string;
  /** The start of the hour, ms since the epoch. */
  hour: number;
  /** In lower case; empty where the application named none. */
  environment: string;
  passes: number;
  fails: number;
  empties: number;
};

/** The checks that a batch of events tells of: SDKs log one event under this name for each. */
export function countChecks(events: LoggedEvent[], now: number): GateChecks[] {
  const counts = new Map<string, GateChecks>();
  for (const { eventName, metadata, user, time } of events) {
    const gateID = metadata?.gate;
    if (eventName !== "statsig::gate_exposure" || typeof gateID !== "string") continue;
    // A clock that runs ahead must not make a gate look checked in the future.
    const hour = Math.floor(Math.min(time ?? now, now) / HOUR) * HOUR;
    const environment = String((user?.statsigEnvironment as { tier?: unknown } | undefined)?.tier ?? "").toLowerCase();
    const key = JSON.stringify([gateID, hour, environment]);
    const count = counts.get(key) ?? { gateID, hour, environment, passes: 0, fails: 0, empties: 0 };
    counts.set(key, { ...count, ...counted(count, String(metadata?.gateValue ?? "")) });
  }
  // In the order of their rows, so that batches which arrive together lock them in the same order.
  return [...counts.values()].toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function counted({ passes, fails, empties }: GateChecks, value: string): Partial<GateChecks> {
  if (value === "true") return { passes: passes + 1 };
  return value === "false" ? { fails: fails + 1 } : { empties: empties + 1 };
}

const keyOf = ({ gateID, hour, environment }: GateChecks) => JSON.stringify([gateID, hour, environment]);

/** Whether a gate was checked lately; null where a gate is too young to tell. */
export function checkedLately(gate: { createdTime: number }, wasChecked: boolean, now: number): boolean | null {
  return wasChecked || now - gate.createdTime >= LATELY ? wasChecked : null;
}
