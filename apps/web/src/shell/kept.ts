// Servers at several paths of an origin share its storage, so names begin with the base path.
import { useSyncExternalStore } from "react";
import { BASE_PATH } from "../base-path.ts";

const listeners = new Set<() => void>();

function read(name: string): string | null {
  try {
    return localStorage.getItem(BASE_PATH + name);
  } catch {
    return null;
  }
}

/** Keeps a text in this browser, for every page that shows it. */
function keep(name: string, text: string): void {
  try {
    localStorage.setItem(BASE_PATH + name, text);
  } catch {
    // A browser without storage forgets the text.
  }
  for (const listener of listeners) listener();
}

/** A text that this browser keeps under a name; null if it keeps none. */
export function useKept(name: string): [string | null, (text: string) => void] {
  const text = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => read(name),
  );
  return [text, (changed) => keep(name, changed)];
}
