import { Check, EqualNot, LoaderCircle, Minus, X } from "lucide-react";
import type { Schema } from "../api.ts";
import { day as dayName } from "../ui/time-text.ts";
import styles from "./day-marks.module.css";
import { DAY_STATES, type DayState, stateOfDay } from "./ingestion-words.ts";

type KnownDay = Schema<"IngestionStatus">;

const ICONS: Record<DayState, typeof Check> = { copied: Check, differs: EqualNot, running: LoaderCircle, failed: X, unknown: Minus };

type Props = {
  /** The days, the earliest first. */
  days: readonly string[];
  /** Known states of the days of one source. */
  known: readonly KnownDay[];
};

/** One mark for each day: its state, as a sign and in words. */
export function DayMarks({ days, known }: Props) {
  return (
    <span className={styles.marks}>
      {days.map((date) => {
        const found = known.find(({ ds }) => ds === date);
        const state = stateOfDay(found);
        const Icon = ICONS[state];
        const text = `${dayName(Date.parse(date), "utc")}: ${DAY_STATES[state].name.toLowerCase()}`;
        const title = found?.message == null ? text : `${text}. ${found.message}`;
        return (
          <span key={date} className={`${styles.mark} ${styles[state]}`} role="img" aria-label={text} title={title}>
            <Icon aria-hidden="true" />
          </span>
        );
      })}
    </span>
  );
}
