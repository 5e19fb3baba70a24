import type { ReactNode } from "react";
import { useEnvironmentNames } from "../shell/environments.ts";
import { Sentence } from "../shell/sentence.tsx";
import type { Part } from "../targeting/parts.ts";
import { audienceOf, type Phase } from "../targeting/phases.ts";
import styles from "./timeline.module.css";

export type StepState = "done" | "current" | "waiting" | "next";

/** Phases below one another, on a line. */
export function Timeline({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ol className={styles.timeline} aria-label={label}>
      {children}
    </ol>
  );
}

type StepProps = {
  title: string;
  state?: StepState;
  /** Beside the title, such as badges and times. */
  beside?: ReactNode;
  children?: ReactNode;
};

export function TimelineStep({ title, state = "next", beside, children }: StepProps) {
  return (
    <li className={`${styles.step} ${styles[state] ?? ""}`} aria-label={title} aria-current={state === "current" ? "step" : undefined}>
      <div className={styles.head}>
        <h3>
          <bdi>{title}</bdi>
        </h3>
        {beside}
      </div>
      {children}
    </li>
  );
}

/** A time or condition of a step. */
export const Soft = ({ children }: { children: ReactNode }) => <span className={styles.soft}>{children}</span>;

/** The users that a phase adds. */
export function Audience({ of: phase }: { of: Phase }) {
  const all = useEnvironmentNames();
  return <Sentences of={audienceOf(phase, all)} />;
}

/** Sentences, each on a line. */
export function Sentences({ of: sentences }: { of: readonly (readonly Part[])[] }) {
  return (
    <ul className={styles.lines}>
      {sentences.map((parts, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: sentences have no identity, and are drawn as a whole.
        <li key={index}>
          <Sentence parts={parts} />
        </li>
      ))}
    </ul>
  );
}
