import { type ReactNode, useState } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Notice } from "../ui/notice.tsx";
import { Compared } from "./compared.tsx";
import { conflictTitle, fieldValueText } from "./conflict-words.ts";
import type { Choice, Choices, Found } from "./merge.ts";
import styles from "./saving.module.css";

type Props = {
  conflicts: readonly Found[];
  /** The name of a part on the page. */
  getName: (part: string) => string;
  /** A value of a part in words. */
  toText: (part: string, value: unknown) => string;
  /** The newer saves: by whom, when, and what they changed. */
  newer: ReactNode;
  onMerge: (choices: Choices) => void;
  onReload: () => void;
  onClose: () => void;
};

const SIDES = { mine: "Keep mine", theirs: "Use saved" } as const satisfies Record<Choice, string>;

/**
 * Someone saved since the draft began: another person, or the reader in another tab. Changes by only one of the two are merged; for parts that
 * both changed, the reader chooses here.
 */
export default function Conflict({ conflicts, getName, toText, newer, onMerge, onReload, onClose }: Props) {
  const [choices, setChoices] = useState<Choices>({});
  const open = conflicts.filter(({ path }) => choices[path] === undefined).length;
  const describeSide = ({ part, item, field }: Found, value: unknown) => {
    if (field !== undefined) return fieldValueText(field, value);
    if (item === undefined) return toText(part, value);
    return value === undefined ? "Removed" : toText(part, [value]);
  };
  return (
    <Dialog
      title={conflicts.length === 0 ? "There are newer changes" : "Your edits conflict with newer changes"}
      isOpen
      onClose={onClose}
      width="wide"
      actions={
        <>
          <Button onPress={onReload}>Discard my changes</Button>
          <Button
            look="primary"
            onPress={() => onMerge(choices)}
            disabledReason={
              open === 0 ? undefined : open === 1 ? "Choose a side for 1 more change." : `Choose a side for ${open} more changes.`
            }
          >
            Merge
          </Button>
        </>
      }
    >
      <Notice tone="warn">Changes were saved after you started editing. Your edits aren’t saved yet.</Notice>
      {newer}
      {conflicts.length === 0 ? (
        <p>Your edits don’t overlap with them.</p>
      ) : (
        <p>Choose which version to keep where both changed the same thing. All other changes are kept.</p>
      )}
      {conflicts.map((conflict) => {
        const { path, part, mine, theirs } = conflict;
        const title = conflictTitle(getName(part), conflict);
        return (
          <section key={path} aria-label={title}>
            <h3>{title}</h3>
            <Compared
              left={{ title: "Mine", text: describeSide(conflict, mine) }}
              right={{ title: "Saved", text: describeSide(conflict, theirs) }}
            />
            <div className={styles.conflict}>
              {(["mine", "theirs"] as const).map((side) => (
                <Button
                  key={side}
                  look={choices[path] === side ? "primary" : "default"}
                  aria-pressed={choices[path] === side}
                  onPress={() => setChoices({ ...choices, [path]: side })}
                >
                  {SIDES[side]}
                </Button>
              ))}
            </div>
          </section>
        );
      })}
      <ul className={styles.meanings} aria-label="Your options">
        <li>
          <strong>Merge</strong> adds your edits to the saved version. You review the result before it’s saved.
        </li>
        <li>
          <strong>Discard my changes</strong> drops your edits and shows the saved version.
        </li>
        <li>
          <strong>Close</strong> returns to your edits.
        </li>
      </ul>
    </Dialog>
  );
}
