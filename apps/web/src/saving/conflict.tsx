import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Notice } from "../ui/notice.tsx";
import type { Choice, Conflict as ConflictOf } from "./merge.ts";
import styles from "./saving.module.css";

type Props<Values> = {
  conflicts: readonly ConflictOf<Values>[];
  /** What a field is called on the page. */
  getName: (field: keyof Values & string) => string;
  /** A value in words. */
  toText: (field: keyof Values & string, value: unknown) => string;
  /** Who saved, and what they changed that does not touch the draft. */
  saidBy: string;
  onMerge: (choices: Partial<Record<keyof Values, Choice>>) => void;
  onReload: () => void;
  onClose: () => void;
};

/** Somebody else saved since the draft began. What only one of the two changed is merged; what both changed is chosen here. */
export function Conflict<Values>({ conflicts, getName, toText, saidBy, onMerge, onReload, onClose }: Props<Values>) {
  const [choices, setChoices] = useState<Partial<Record<keyof Values, Choice>>>({});
  const open = conflicts.filter(({ field }) => choices[field] === undefined).length;
  const choose = (field: keyof Values, choice: Choice) => setChoices({ ...choices, [field]: choice });
  return (
    <Dialog
      title={conflicts.length === 0 ? "Somebody else saved meanwhile" : "You both changed this"}
      isOpen
      onClose={onClose}
      width="wide"
      actions={
        <>
          <Button onPress={onReload}>Discard mine and reload</Button>
          <Button
            look="primary"
            onPress={() => onMerge(choices)}
            disabledReason={open === 0 ? undefined : open === 1 ? "Choose for 1 more field." : `Choose for ${open} more fields.`}
          >
            Merge
          </Button>
        </>
      }
    >
      <Notice tone="warn">{saidBy} Nothing of yours was stored, and nothing of theirs is lost.</Notice>
      {conflicts.length === 0 && <p>You changed different things. Merging keeps both.</p>}
      {conflicts.map(({ field, mine, theirs }) => (
        <section key={field} aria-label={getName(field)}>
          <h3>{getName(field)}</h3>
          <div className={styles.conflict}>
            <div>
              <pre>{toText(field, mine)}</pre>
              <Button
                look={choices[field] === "mine" ? "primary" : "default"}
                aria-pressed={choices[field] === "mine"}
                onPress={() => choose(field, "mine")}
              >
                Keep mine
              </Button>
            </div>
            <div>
              <pre>{toText(field, theirs)}</pre>
              <Button
                look={choices[field] === "theirs" ? "primary" : "default"}
                aria-pressed={choices[field] === "theirs"}
                onPress={() => choose(field, "theirs")}
              >
                Take theirs
              </Button>
            </div>
          </div>
        </section>
      ))}
    </Dialog>
  );
}
