import { useEffect, useSyncExternalStore } from "react";

export type PageAction = {
  id: string;
  label: string;
  run: () => void /** Keys after one another, such as `g g`, or one with Ctrl, such as `ctrl+s`. */;
  shortcut?: string;
};

let shown: readonly PageAction[] = [];
const listeners = new Set<() => void>();

function show(actions: readonly PageAction[]): void {
  shown = actions;
  for (const listener of listeners) listener();
}

/** Offers the page's actions in the command palette, and by shortcuts, as long as it is open. */
export function useOfferActions(actions: readonly PageAction[]): void {
  useEffect(() => {
    show(actions);
    return () => show([]);
  }, [actions]);
}

export const usePageActions = (): readonly PageAction[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
