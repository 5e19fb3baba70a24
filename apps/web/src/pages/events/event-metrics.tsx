import { useQuery } from "@tanstack/react-query";
import { query } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { EntityLink } from "../../shell/entity-link.tsx";
import { Section } from "../../shell/page.tsx";

const MAX_SHOWN = 100;

/** The metrics that are computed from the events. */
export function EventMetrics({ name }: { name: string }) {
  const { data } = useQuery(query("listEventMetrics", { path: { eventName: name }, query: { limit: MAX_SHOWN } }));
  const metrics = data?.data ?? [];
  return (
    <Section title="Metrics" description="Metrics that use this event.">
      {data !== undefined && metrics.length === 0 && <p className={entity.soft}>None</p>}
      {metrics.length > 0 && (
        <ul aria-label="Metrics">
          {metrics.map(({ id, name: metric }) => (
            <li key={id}>
              <EntityLink type="metric" id={id} name={metric} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
