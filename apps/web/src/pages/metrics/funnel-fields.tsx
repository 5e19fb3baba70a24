import { useQuery } from "@tanstack/react-query";
import { query } from "../../api.ts";
import { useEntitySearch } from "../../entity/entity-choice.tsx";
import { EventField } from "../../entity/event-field.tsx";
import type { FieldProps } from "../../entity/field-props.ts";
import { changedAt } from "../../entity/row-keys.ts";
import { ComboBox, Select } from "../../ui/choice.tsx";
import { COUNTED } from "./definition-words.ts";
import type { Fields, FunnelEvent } from "./metric-draft.ts";
import styles from "./metrics.module.css";
import { StepList } from "./step-list.tsx";

type Counted = Fields["funnelCountDistinct"];
type Kind = "event" | "metric";

/** The type of a step, by the funnel's counting and the step's kind. */
const TYPES: Readonly<Record<Counted, Readonly<Record<Kind, FunnelEvent["type"]>>>> = {
  users: { event: "event_dau", metric: "event_user" },
  events: { event: "event_count", metric: "event_count_custom" },
};
const METRIC_KIND: Readonly<Record<Counted, string>> = {
  users: "A unique-units metric",
  events: "An event-count metric",
};

const stepKind = ({ type }: FunnelEvent): Kind => (type === "event_dau" || type === "event_count" ? "event" : "metric");
const COUNTS = Object.entries(COUNTED).map(([id, label]) => ({ id, label }));

type Props = FieldProps & { steps: readonly FunnelEvent[]; counted: Counted; set: (changed: Partial<Fields>) => void };

/** The steps of a metric of the type `funnel`, and its counting. */
export function FunnelFields({ steps, counted, set, disabledReason, faultAt }: Props) {
  const isDisabled = disabledReason !== undefined;
  const count = (now: Counted) =>
    set({
      funnelCountDistinct: now,
      steps: steps.reduce<readonly FunnelEvent[]>((all, step, index) => changedAt(all, index, { type: TYPES[now][stepKind(step)] }), steps),
    });
  return (
    <StepList
      steps={steps}
      onChange={(changed) => set({ steps: changed })}
      newStep={() => ({ name: "", type: TYPES[counted].event })}
      place="funnelEventList"
      description="A unit completes the funnel if it does all steps in order."
      disabledReason={disabledReason}
      faultAt={faultAt}
      above={
        <div className={styles.fields}>
          <Select
            label="Count"
            description="If a step is a metric, that metric must count in the same way."
            options={COUNTS}
            value={counted}
            onChange={(id) => count(id as Counted)}
            error={faultAt("funnelCountDistinct")}
            isDisabled={isDisabled}
          />
        </div>
      }
    >
      {(step, edit, place) => (
        <div className={styles.fields}>
          <Select
            label="Type"
            options={[
              { id: "event", label: "An event" },
              { id: "metric", label: METRIC_KIND[counted] },
            ]}
            value={stepKind(step)}
            onChange={(kind) => edit({ type: TYPES[counted][kind as Kind] })}
            error={faultAt(`${place}.type`)}
            isDisabled={isDisabled}
          />
          <NameField
            // Resets to names of the other kind.
            key={stepKind(step)}
            type={step.type}
            value={step.name}
            onChange={(name) => edit({ name })}
            error={faultAt(`${place}.name`)}
            isDisabled={isDisabled}
          />
        </div>
      )}
    </StepList>
  );
}

type NameProps = {
  type: FunnelEvent["type"];
  value: string;
  onChange: (name: string) => void;
  error: string | undefined;
  isDisabled: boolean;
};

function NameField({ type, ...field }: NameProps) {
  return stepKind({ name: "", type }) === "event" ? <EventField label="Event name" {...field} /> : <MetricName type={type} {...field} />;
}

/** The name of a metric of a type, which may be one that does not exist yet. */
function MetricName({ type, ...field }: NameProps) {
  const { onSearch, given } = useEntitySearch();
  const { data } = useQuery({ ...query("listMetrics", given), placeholderData: (known) => known });
  const found = (data?.data ?? []).filter((metric) => metric.type === type).map(({ name }) => ({ id: name, label: name }));
  return <ComboBox label="Metric name" options={found} onSearch={onSearch} allowsOther {...field} />;
}
