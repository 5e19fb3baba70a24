import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { query } from "../api.ts";
import { EntityLink } from "../shell/entity-link.tsx";
import { metricID } from "../targeting/metric-id.ts";
import { metricTypeLabel } from "../targeting/metric-types.ts";
import { IconButton } from "../ui/button.tsx";
import { ComboBox } from "../ui/choice.tsx";
import { Notice } from "../ui/notice.tsx";
import styles from "./entity.module.css";
import { useEntitySearch } from "./entity-choice.tsx";

type Named = { name: string; type: string };

type Props<Metric extends Named> = {
  label: string;
  description?: string;
  metrics: readonly Metric[];
  onChange: (metrics: (Metric | Named)[]) => void;
  /** Fields of each metric. */
  each?: (metric: Metric, index: number) => ReactNode;
  /** Only metrics of these types can be added. */
  types?: readonly string[];
  disabledReason: string | undefined;
  error?: string | undefined;
};

/** Metrics in an order, each a link, and a search field that adds one more metric. */
export function MetricsField<Metric extends Named>(props: Props<Metric>) {
  const { label, description, metrics, onChange, each, types, disabledReason, error } = props;
  const { onSearch, given } = useEntitySearch();
  const { data } = useQuery({ ...query("listMetrics", given), placeholderData: (known) => known });
  const automatic = useQuery({
    ...query("listMetrics", { query: { ...given.query, automatic: true } }),
    enabled: types?.includes("event_count") ?? true,
    placeholderData: (known) => known,
  });
  const named = metrics.map(metricID);
  const found = [...(data?.data ?? []), ...(automatic.data?.data ?? [])].filter(
    ({ id, type }) => !named.includes(id) && (types?.includes(type) ?? true),
  );
  return (
    <section className={styles.card} aria-label={label}>
      <h3>{label}</h3>
      {description !== undefined && <p className={styles.soft}>{description}</p>}
      {metrics.length === 0 ? (
        <p className={styles.soft}>None</p>
      ) : (
        <ul className={each && styles.ruleList}>
          {metrics.map((metric, index) => (
            <li key={metricID(metric)}>
              <div className={styles.row}>
                <EntityLink type="metric" id={metricID(metric)} name={metric.name} />
                <IconButton
                  label={`Remove ${metric.name}`}
                  onPress={() => onChange(metrics.filter((one) => one !== metric))}
                  disabledReason={disabledReason}
                >
                  <X aria-hidden="true" />
                </IconButton>
              </div>
              {each?.(metric, index)}
            </li>
          ))}
        </ul>
      )}
      {error !== undefined && <Notice tone="bad">{error}</Notice>}
      {disabledReason === undefined && (
        // Resets after each choice.
        <ComboBox
          key={named.join()}
          label={`Add to ${label.toLowerCase()}`}
          options={found.map(({ id, name, type }) => ({ id, label: name, hint: metricTypeLabel(type) }))}
          value={null}
          onChange={(id) => {
            const chosen = found.find((one) => one.id === id);
            if (chosen) onChange([...metrics, { name: chosen.name, type: chosen.type }]);
          }}
          onSearch={onSearch}
          placeholder="Search metrics"
        />
      )}
    </section>
  );
}
