import { Dialog } from "../ui/dialog.tsx";
import type { PageAction } from "./page-actions.ts";
import styles from "./shortcuts.module.css";

/** The shortcuts that work on this page. */
export default function Shortcuts({ actions, onClose }: { actions: readonly PageAction[]; onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" isOpen onClose={onClose} width="wide" isText>
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
