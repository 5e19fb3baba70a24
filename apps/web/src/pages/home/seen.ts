// The time until which a person has seen the changes of a project, kept in their browser.
import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
const storageKey = (projectID: string, personID: string) => `gatehouse.seen.${projectID}.${personID}`;

function read(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Milliseconds since the epoch; undefined for people who have never marked changes as seen. */
export function useSeenUntil(projectID: string, personID: string): [number | undefined, (time: number) => void] {
  const name = storageKey(projectID, personID);
  const stored = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => read(name),
  );
  const time = Number(stored);
  const set = (seen: number) => {
    try {
      localStorage.setItem(name, String(seen));
    } catch {
      // A browser without storage shows the same changes again.
    }
    for (const listener of listeners) listener();
  };
  return [stored !== null && Number.isSafeInteger(time) && time >= 0 ? time : undefined, set];
}
