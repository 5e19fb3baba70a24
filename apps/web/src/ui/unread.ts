// The fields of the page that show an invalid value: a save would store their last valid one.
import { useEffect, useSyncExternalStore } from "react";

const unread = new Map<symbol, string>();
const listeners = new Set<() => void>();

function changed(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Notes that a field has a fault as long as it shows it. */
export function useUnread(label: string, fault: string | undefined): void {
  useEffect(() => {
    if (fault === undefined) return;
    const field = Symbol(label);
    unread.set(field, `${label}: ${fault}`);
    changed();
    return () => {
      unread.delete(field);
      changed();
    };
  }, [label, fault]);
}

/** The first field whose text cannot be taken, with the reason. Undefined if all can. */
export const useUnreadReason = (): string | undefined => useSyncExternalStore(subscribe, () => unread.values().next().value);
