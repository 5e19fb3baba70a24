import { useEffect, useState } from "react";
import { isoTime } from "./iso-time.ts";
import styles from "./time.module.css";
import { exactTime, relativeTime } from "./time-text.ts";

const REFRESH_MS = 30_000;

/** A time as a reader says it, in their own zone. Hovering shows the exact one. @param time milliseconds since the epoch */
export function Time({ time }: { time: number }) {
  const [, setTurn] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTurn((turn) => turn + 1), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={isoTime(time)} title={exactTime(time)} className={styles.time}>
      {relativeTime(time, Date.now())}
    </time>
  );
}
