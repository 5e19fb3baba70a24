// The environments where a gate or dynamic config is off. Pure.
import type { Change } from "./change.ts";
import { subject, text } from "./parts.ts";

/** The environments where it is off, in alphabetical order, so that drafts are equal if their switches are. */
export const offIn = ({ disabledEnvironments = [] }: { disabledEnvironments?: readonly string[] }): string[] =>
  disabledEnvironments.toSorted();

/** The environments where it is off, after one was turned on or off. */
export function switchedIn(off: readonly string[], environment: string, isOn: boolean): string[] {
  const others = off.filter((name) => name !== environment);
  return isOn ? others : [...others, environment].toSorted();
}

/** The switches that differ, in words. */
export function switchChanges(before: readonly string[] = [], after: readonly string[] = []): Change[] {
  const change = (words: string, name: string): Change => ({
    ...{ kind: "changed", field: "disabledEnvironments" },
    parts: [text(words), subject(name)],
  });
  const changes = [
    ...after.filter((name) => !before.includes(name)).map((name) => change("Turned off in", name)),
    ...before.filter((name) => !after.includes(name)).map((name) => change("Turned on in", name)),
  ];
  const isReordered = changes.length === 0 && before.some((name, index) => name !== after[index]);
  return isReordered
    ? [{ kind: "changed", field: "disabledEnvironments", parts: [text("Environments where it’s off: in another order")] }]
    : changes;
}
