import { useEffect, useState } from "react";
import { Focusable, Tooltip, TooltipTrigger } from "react-aria-components";
import styles from "./time.module.css";
import { exactTime, relativeTime } from "./time-text.ts";

const REFRESH_MS = 30_000;

/** A time as a reader says it, in their own zone. Hovering or focusing shows the exact one. @param time milliseconds since the epoch */
export function Time({ time }: { time: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <TooltipTrigger delay={300} closeDelay={0}>
      <Focusable>
        <time dateTime={new Date(time).toISOString()} className={styles.time} tabIndex={-1}>
          {relativeTime(time, now)}
        </time>
      </Focusable>
      <Tooltip className={styles.tip ?? ""} offset={6}>
        {exactTime(time)}
      </Tooltip>
    </TooltipTrigger>
  );
}
