import { useMemo } from "react";
import styles from "./saving.module.css";
import { type DiffPart, textDiff } from "./text-diff.ts";

/** Two texts side by side, under their headings. Words that differ are marked. */
export function Compared({ left, right }: { left: { title: string; text: string }; right: { title: string; text: string } }) {
  const diff = useMemo(() => textDiff(left.text, right.text), [left.text, right.text]);
  return (
    <div className={styles.conflict}>
      <Side title={left.title} parts={diff.left} />
      <Side title={right.title} parts={diff.right} />
    </div>
  );
}

function Side({ title, parts }: { title: string; parts: readonly DiffPart[] }) {
  return (
    <div>
      <p className={styles.side}>{title}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <pre tabIndex={0}>
        {parts.length === 0
          ? "Empty"
          : parts.map(({ text, isDifferent }, index) =>
              // biome-ignore lint/suspicious/noArrayIndexKey: a text is drawn as a whole.
              isDifferent ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
            )}
      </pre>
    </div>
  );
}
