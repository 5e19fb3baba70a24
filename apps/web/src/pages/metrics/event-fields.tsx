import { Plus, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { CriteriaFields } from "../../criteria/criteria-fields.tsx";
import entity from "../../entity/entity.module.css";
import { EventField } from "../../entity/event-field.tsx";
import type { FieldProps } from "../../entity/field-props.ts";
import { changedAt, rowKey } from "../../entity/row-keys.ts";
import { Section } from "../../shell/page.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { Select } from "../../ui/choice.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { type EventDraft, hasKey, newEvent } from "./event-draft.ts";
import { EVENT_TYPES, type EventType, type MetricType } from "./metric-words.ts";
import styles from "./metrics.module.css";

type Props = FieldProps & {
  type: MetricType;
  events: readonly EventDraft[];
  onChange: (events: EventDraft[]) => void;
  /** The parts of each event that can be counted. Default: by the metric's type. */
  takes?: (index: number) => readonly EventType[];
  /** Whether the first event is divided by the second. */
  isRatio?: boolean;
  /** More fields of an event. */
  also?: (index: number) => ReactNode;
};

/** The parts of an event that each type of metric can count. */
const COUNTED: Partial<Record<MetricType, readonly EventType[]>> = { sum: ["value", "metadata"], mean: ["value", "metadata"] };
const ALL = Object.keys(EVENT_TYPES) as EventType[];
const PARTS = ["Numerator", "Denominator"];
const MAX_EVENTS = 50;

/** The counted events, and the counted part of each. */
export function EventFields({ type, events, onChange, takes, isRatio = type === "ratio", also, disabledReason, faultAt }: Props) {
  const edit = (index: number, changed: Partial<EventDraft>) => onChange(changedAt(events, index, changed));
  const fullReason = isRatio ? "A ratio has two events." : `Use at most ${MAX_EVENTS} events.`;
  const isFull = events.length >= (isRatio ? PARTS.length : MAX_EVENTS);
  const isDisabled = disabledReason !== undefined;
  return (
    <Section
      title="Events"
      description="Events after a unit’s first exposure count."
      actions={
        <Button
          onPress={() => onChange([...events, { ...newEvent(type), ...(takes && { type: takes(events.length)[0] ?? "count" }) }])}
          disabledReason={disabledReason ?? (isFull ? fullReason : undefined)}
        >
          <Plus aria-hidden="true" />
          Add event
        </Button>
      }
    >
      {faultAt("metricEvents") !== undefined && <Notice tone="bad">{faultAt("metricEvents")}</Notice>}
      {events.map((event, index) => {
        const title = isRatio ? (PARTS[index] ?? `Event ${index + 1}`) : `Event ${index + 1}`;
        const place = `metricEvents[${index}]`;
        const types = takes?.(index) ?? COUNTED[type] ?? ALL;
        // The stored type is shown, whether or not this page would offer it.
        const shown = types.includes(event.type) ? types : [...types, event.type];
        return (
          <fieldset key={rowKey(event)} className={entity.card} aria-label={title}>
            <div className={styles.header}>
              <h3>{title}</h3>
              <IconButton
                label={`Remove ${title.toLowerCase()}`}
                onPress={() => onChange(events.toSpliced(index, 1))}
                disabledReason={disabledReason}
              >
                <Trash2 aria-hidden="true" />
              </IconButton>
            </div>
            <div className={styles.fields}>
              <EventField
                label="Event name"
                value={event.name}
                onChange={(name) => edit(index, { name })}
                error={faultAt(`${place}.name`)}
                isDisabled={isDisabled}
              />
              {also?.(index)}
              {type !== "event_user" && shown.length > 1 && (
                <Select
                  label="What counts"
                  options={shown.map((id) => ({ id, label: EVENT_TYPES[id] }))}
                  value={event.type}
                  onChange={(chosen) => edit(index, { type: chosen as EventType })}
                  error={faultAt(`${place}.type`)}
                  isDisabled={isDisabled}
                />
              )}
              {hasKey(event.type) && (
                <TextField
                  label="Key in the metadata"
                  {...(event.type === "count_distinct" && { description: "Leave empty to count each unit with this event once." })}
                  isCode
                  value={event.metadataKey}
                  onChange={(metadataKey) => edit(index, { metadataKey })}
                  error={faultAt(`${place}.metadataKey`)}
                  isDisabled={isDisabled}
                />
              )}
            </div>
            <CriteriaFields
              criteria={event.criteria}
              onChange={(criteria) => edit(index, { criteria })}
              place={`${place}.criteria`}
              disabledReason={disabledReason}
              faultAt={faultAt}
            />
          </fieldset>
        );
      })}
    </Section>
  );
}
