// Servers at several paths of an origin share its storage, so names begin with the base path.
import { useSyncExternalStore } from "react";
import { BASE_PATH } from "../base-path.ts";

const listeners = new Set<() => void>();

/** How long a text is kept: in this browser, or until its tab is closed. */
const STORES = { browser: () => localStorage, tab: () => sessionStorage };
type Store = keyof typeof STORES;

function read(name: string, store: Store): string | null {
  try {
    return STORES[store]().getItem(BASE_PATH + name);
  } catch {
    return null;
  }
}

/** Keeps a text in this browser, for every page that shows it. */
function keep(name: string, text: string, store: Store): void {
  try {
    STORES[store]().setItem(BASE_PATH + name, text);
  } catch {
    // A browser without storage forgets the text.
  }
  for (const listener of listeners) listener();
}

/** A text that this browser keeps under a name; null if it keeps none. */
export function useKept(name: string, store: Store = "browser"): [string | null, (text: string) => void] {
  const text = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => read(name, store),
  );
  return [text, (changed) => keep(name, changed, store)];
}
