import { Check } from "lucide-react";
import type { ReactNode } from "react";
import styles from "./start.module.css";

/** One step of the way: its number, or a tick once it is done. */
export function Step({ number, title, isDone, children }: { number: number; title: string; isDone: boolean; children: ReactNode }) {
  return (
    <li className={styles.step}>
      <span className={`${styles.number} ${isDone ? styles.done : ""}`} aria-hidden="true">
        {isDone ? <Check /> : number}
      </span>
      <section className={styles.content} aria-label={title}>
        <h2>{title}</h2>
        {children}
      </section>
    </li>
  );
}
