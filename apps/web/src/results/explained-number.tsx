import type { ReactNode } from "react";
import { Explained } from "../ui/explained.tsx";
import type { Meaning } from "./meaning.ts";
import styles from "./results.module.css";

type Props = {
  meaning: Meaning;
  /** As it is shown. */
  text: string;
  /** How it came about, with actual numbers. */
  worked?: string | undefined;
  /** Shown instead of the plain text. */
  children?: ReactNode;
};

/** A number that explains itself on hover and focus, with its formula and source. */
export function ExplainedNumber({ meaning, text, worked, children = text }: Props) {
  return (
    <Explained name={`${meaning.label}: ${text}`} tip={<MeaningText meaning={meaning} worked={worked} isTitled />}>
      {children}
    </Explained>
  );
}

/** The meaning of a number, in a tip or a list. */
export function MeaningText({
  meaning: { label, text, formula, source },
  worked,
  isTitled = false,
}: Pick<Props, "meaning" | "worked"> & { isTitled?: boolean }) {
  return (
    <span className={styles.meaning}>
      {isTitled && <strong>{label}</strong>}
      <span>{text}</span>
      {formula !== undefined && <code>{formula}</code>}
      {worked !== undefined && <span>Here: {worked}</span>}
      {source !== undefined && <span className={styles.source}>{source}</span>}
    </span>
  );
}
