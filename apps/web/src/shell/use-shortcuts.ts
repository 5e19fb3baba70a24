import { useNavigate, useParams } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { focusRow, focusSearch } from "./list-keys.ts";
import { type PageAction, usePageActions } from "./page-actions.ts";
import { PLACES } from "./places.ts";

/** Keys after one another belong together within this time. */
const SEQUENCE_MS = 1_000;

/** Listens to the shortcuts of the page and of every page. @returns their actions */
export function useShortcuts({ onSearch, onHelp }: { onSearch: () => void; onHelp: () => void }): readonly PageAction[] {
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const navigate = useNavigate();
  const offered = usePageActions();
  const everywhere: PageAction[] = [
    { id: "search", label: "Search everything", shortcut: "ctrl+k", run: onSearch },
    { id: "help", label: "Show the shortcuts", shortcut: "?", run: onHelp },
    { id: "filter", label: "Search the list", shortcut: "/", run: focusSearch },
    { id: "next", label: "Next row of the list", shortcut: "j", run: () => focusRow(1) },
    { id: "previous", label: "Previous row of the list", shortcut: "k", run: () => focusRow(-1) },
    ...PLACES.map(({ to, label, shortcut }) => ({
      id: to,
      label: `Go to ${label}`,
      shortcut,
      run: () => void navigate({ to, params: { projectID } }),
    })),
  ];
  const actions = [...offered, ...everywhere].filter(({ shortcut }) => shortcut !== undefined);
  useKeys(actions);
  return actions;
}

function useKeys(actions: readonly PageAction[]): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    let before = { key: "", at: 0 };
    const onKey = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      const isCommand = event.ctrlKey || event.metaKey;
      if (event.altKey || (!isCommand && isTyping(event.target))) return;
      const pair = event.timeStamp - before.at < SEQUENCE_MS ? `${before.key} ${key}` : "";
      const found = latest.current.find(
        ({ shortcut }) => shortcut === (isCommand ? `ctrl+${key}` : key) || (!isCommand && shortcut === pair),
      );
      before = isCommand ? { key: "", at: 0 } : { key, at: event.timeStamp };
      if (!found || document.querySelector("[role=dialog], [role=alertdialog]")) return;
      event.preventDefault();
      found.run();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}
