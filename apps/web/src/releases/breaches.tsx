import { EntityLink } from "../shell/entity-link.tsx";
import { Notice } from "../ui/notice.tsx";
import { Time } from "../ui/time.tsx";
import type { Release } from "./reads.ts";
import styles from "./timeline.module.css";

/** The guardrails of the current phase that were broken, with links to them. */
export function Breaches({ release: { breaches, status } }: { release: Release }) {
  if (breaches.length === 0) return null;
  return (
    <Notice tone="warn" title={status === "PAUSED" ? "Guardrails paused this release" : "The release goes on despite its guardrails"}>
      <ul className={styles.lines}>
        {breaches.map(({ kind, id, reason, time, isAcknowledged }) => (
          <li key={`${kind} ${id}`}>
            {kind === "METRIC" ? "Metric" : "Alert"} <EntityLink type={kind === "METRIC" ? "metric" : "alert"} id={id} name={id} />:{" "}
            {reason}{" "}
            <span className={styles.soft}>
              <Time time={time} />
              {isAcknowledged && ", resumed since"}
            </span>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
