import { useNavigate, useParams } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { Dialog } from "../ui/dialog.tsx";
import { type PageAction, usePageActions } from "./page-actions.ts";
import { PLACES } from "./places.ts";
import styles from "./shortcuts.module.css";

/** Keys after one another belong together within this time. */
const SEQUENCE_MS = 1_000;

type Props = { isOpen: boolean; onOpenChange: (isOpen: boolean) => void; onSearch: () => void };

/** Listens to shortcuts, and shows them by `?`. */
export function Shortcuts({ isOpen, onOpenChange, onSearch }: Props) {
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const navigate = useNavigate();
  const offered = usePageActions();
  const everywhere: PageAction[] = [
    { id: "search", label: "Search everything", shortcut: "ctrl+k", run: onSearch },
    { id: "help", label: "Show the shortcuts", shortcut: "?", run: () => onOpenChange(true) },
    ...PLACES.map(({ to, label, shortcut }) => ({
      id: to,
      label: `Go to ${label}`,
      shortcut,
      run: () => void navigate({ to, params: { projectID } }),
    })),
  ];
  const actions = [...offered, ...everywhere].filter(({ shortcut }) => shortcut !== undefined);
  useShortcuts(actions);
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={() => onOpenChange(false)} width="wide" isText>
      <dl className={styles.list}>
        {actions.map(({ id, label, shortcut }) => (
          <div key={id}>
            <dt>{label}</dt>
            <dd>
              {shortcut?.split(/[ +]/).map((key) => (
                <kbd key={key}>{key === "ctrl" ? "Ctrl" : key.length === 1 && shortcut.includes("+") ? key.toUpperCase() : key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

function useShortcuts(actions: readonly PageAction[]): void {
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
