import { useEffect, useRef, useState } from "react";
import { createDiff, type DiffHandle } from "./diff-view.ts";
import styles from "./json5-diff.module.css";

export type Json5DiffProps = {
  before: string;
  after: string;
  /** What the texts are: "Version 3", "Your draft". */
  beforeLabel: string;
  afterLabel: string;
  /** Of the content security policy. */
  nonce: string | undefined;
};

/** Narrower than this, the texts are in one column. px */
const MIN_SIDE_BY_SIDE_PX = 720;

/** Shows how two texts differ, side by side where there is room. What is equal is folded away. */
export default function Json5Diff({ before, after, beforeLabel, afterLabel, nonce }: Json5DiffProps) {
  const container = useRef<HTMLDivElement>(null);
  const [isSideBySide, setSideBySide] = useState<boolean | null>(null);
  const [isWhole, setWhole] = useState(false);
  const [diff, setDiff] = useState<DiffHandle | null>(null);

  useEffect(() => {
    const element = container.current;
    if (element === null) return;
    const measure = () => element.clientWidth > 0 && setSideBySide(element.clientWidth >= MIN_SIDE_BY_SIDE_PX);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useEffect(() => {
    if (container.current === null || isSideBySide === null || before === after) return;
    const created = createDiff({
      parent: container.current,
      before: { text: before, label: beforeLabel },
      after: { text: after, label: afterLabel },
      isSideBySide,
      isWhole,
      nonce,
    });
    setDiff(created);
    return () => {
      setDiff(null);
      created.close();
    };
  }, [before, after, beforeLabel, afterLabel, isSideBySide, isWhole, nonce]);

  return (
    <section className={styles.diff} aria-label={`Changes from ${beforeLabel} to ${afterLabel}`}>
      <div className={styles.bar}>
        <span className={styles.status} role="status">
          {describeCount(before === after ? 0 : diff?.count)}
        </span>
        {diff !== null && (
          <>
            <button type="button" className={styles.button} onClick={() => diff.goTo("previous")}>
              Previous change
            </button>
            <button type="button" className={styles.button} onClick={() => diff.goTo("next")}>
              Next change
            </button>
            <button type="button" className={styles.button} aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>
              All lines
            </button>
          </>
        )}
      </div>
      {before !== after && (
        <div className={styles.labels} data-side-by-side={isSideBySide || undefined}>
          <span>
            <span className={styles.minus}>−</span> <bdi>{beforeLabel}</bdi>
          </span>
          <span>
            <span className={styles.plus}>+</span> <bdi>{afterLabel}</bdi>
          </span>
        </div>
      )}
      <div className={styles.text} ref={container} />
    </section>
  );
}

function describeCount(count: number | undefined): string {
  if (count === undefined) return "";
  if (count === 0) return "The texts are equal.";
  return count === 1 ? "1 change" : `${count} changes`;
}
