import type { ConsoleApiError } from "../api.ts";
import { violationsByPlace } from "../explain.ts";
import type { Fault } from "../targeting/types.ts";

/** What the page finds at once, and what the server refused last where the page found nothing. */
export function faultsWith(ours: readonly Fault[], refused: ConsoleApiError | undefined): Fault[] {
  const theirs = [...violationsByPlace(refused)].map(([property, message]): Fault => ({ property, message, level: "error" }));
  return [...ours, ...theirs.filter(({ property }) => !ours.some((fault) => fault.property === property))];
}
