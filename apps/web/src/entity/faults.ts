import type { ConsoleApiError } from "../api.ts";
import { violationsByPlace } from "../explain.ts";
import type { Fault } from "../targeting/types.ts";

/** Faults that the page finds at once, and server refusals where the page found none. */
export function faultsWith(ours: readonly Fault[], refused: ConsoleApiError | undefined): Fault[] {
  const theirs = [...violationsByPlace(refused)].map(([property, message]): Fault => ({ property, message, level: "error" }));
  return [...ours, ...theirs.filter(({ property }) => !ours.some((fault) => fault.property === property))];
}
