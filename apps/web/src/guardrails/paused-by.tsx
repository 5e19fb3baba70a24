import { Badge } from "../ui/badge.tsx";
import { listed } from "../ui/list-text.ts";

/** The state of a rollout that alerts on metrics have paused. */
export function PausedBy({ metrics }: { metrics: readonly string[] }) {
  return (
    <span>
      <Badge tone="warn">Paused</Badge> by {metrics.length === 1 ? "an alert" : "alerts"} on <bdi>{listed(metrics)}</bdi>
    </span>
  );
}
