import { EntityLink } from "../shell/entity-link.tsx";
import { nameInMetricID } from "../targeting/metric-id.ts";
import { Notice } from "../ui/notice.tsx";
import { Time } from "../ui/time.tsx";
import { isActive, type Release } from "./reads.ts";
import styles from "./timeline.module.css";

function titleOf(status: Release["status"]): string {
  if (status === "PAUSED") return "Guardrails paused this release";
  return isActive({ status }) ? "Someone resumed this release despite breached guardrails" : "Guardrails were breached in this release";
}

/** The breached guardrails of the current phase, with links to them. */
export function Breaches({ release: { breaches, status } }: { release: Release }) {
  if (breaches.length === 0) return null;
  return (
    <Notice tone="warn" title={titleOf(status)}>
      <ul className={styles.lines}>
        {breaches.map(({ kind, id, reason, time, isAcknowledged }) => (
          <li key={`${kind} ${id}`}>
            {kind === "METRIC" ? "Metric" : "Alert"}{" "}
            <EntityLink type={kind === "METRIC" ? "metric" : "alert"} id={id} name={kind === "METRIC" ? nameInMetricID(id) : id} />:{" "}
            {reason}{" "}
            <span className={styles.soft}>
              <Time time={time} />
              {isAcknowledged && ", before the release was resumed"}
            </span>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
