// How many errors the last checks of values found. A tab checks its values only while it is shown, and a page may be saved from any tab.
import { useSyncExternalStore } from "react";

/** More than one page has. The oldest are forgotten. */
const MAX_CHECKS = 500;

const errors = new Map<string, number>();
const listeners = new Set<() => void>();
let changes = 0;

const keyOf = (text: string, schema: unknown): string => JSON.stringify([text, schema ?? null]);

/** Notes how many errors a check of a text against a schema found. */
export function noteErrors(text: string, schema: unknown, count: number): void {
  const key = keyOf(text, schema);
  if ((errors.get(key) ?? 0) === count) return;
  errors.delete(key);
  errors.set(key, count);
  for (const oldest of errors.keys()) {
    if (errors.size <= MAX_CHECKS) break;
    errors.delete(oldest);
  }
  changes += 1;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** @returns the number of errors that the last check of a text against a schema found; 0 if it was not checked */
export function useKnownErrors(): (text: string, schema: unknown) => number {
  useSyncExternalStore(subscribe, () => changes);
  return (text, schema) => errors.get(keyOf(text, schema)) ?? 0;
}

/** Why a text with errors can't be saved; undefined without errors. */
export const fixErrors = (count: number): string | undefined =>
  count === 0 ? undefined : count === 1 ? "fix 1 error." : `fix ${count} errors.`;
