import { useQuery } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import { query } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { Section } from "../../shell/page.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { ComboBox, Select } from "../../ui/choice.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { CriteriaFields } from "./criteria-fields.tsx";
import { type EventDraft, hasKey, newEvent } from "./metric-draft.ts";
import { EVENT_TYPES, type EventType, type MetricType } from "./metric-words.ts";

type Props = {
  type: MetricType;
  events: readonly EventDraft[];
  onChange: (events: EventDraft[]) => void;
  disabledReason: string | undefined;
  faultAt: (property: string) => string | undefined;
};

/** What of an event each type of metric can count. */
const COUNTED: Partial<Record<MetricType, readonly EventType[]>> = { sum: ["value", "metadata"], mean: ["value", "metadata"] };
const ALL = Object.keys(EVENT_TYPES) as EventType[];
const PARTS = ["Numerator", "Denominator"];

/** Which events are counted, and what of each. */
export function EventFields({ type, events, onChange, disabledReason, faultAt }: Props) {
  const { data } = useQuery(query("listEvents"));
  const known = (data?.data ?? []).map(({ name }) => ({ id: name, label: name }));
  const edit = (index: number, changed: Partial<EventDraft>) =>
    onChange(events.map((one, at) => (at === index ? { ...one, ...changed } : one)));
  const isFull = type === "ratio" && events.length >= 2;
  const isDisabled = disabledReason !== undefined;
  return (
    <Section
      title="Events"
      description="Events count from a unit’s first exposure on."
      actions={
        <Button
          onPress={() => onChange([...events, newEvent(type)])}
          disabledReason={disabledReason ?? (isFull ? "A ratio has two events." : undefined)}
        >
          <Plus aria-hidden="true" />
          Add event
        </Button>
      }
    >
      {faultAt("metricEvents") !== undefined && <Notice tone="bad">{faultAt("metricEvents")}</Notice>}
      {events.map((event, index) => {
        const title = type === "ratio" ? (PARTS[index] ?? `Event ${index + 1}`) : `Event ${index + 1}`;
        const place = `metricEvents[${index}]`;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its place alone, since all of it changes.
          <fieldset key={index} className={entity.card} aria-label={title}>
            <h3>{title}</h3>
            <div className={entity.row}>
              <ComboBox
                label="Name of the event"
                options={known}
                value={event.name}
                onChange={(name) => edit(index, { name })}
                allowsOther
                error={faultAt(`${place}.name`)}
                isDisabled={isDisabled}
              />
              {type !== "event_user" && (
                <Select
                  label="What counts"
                  options={(COUNTED[type] ?? ALL).map((id) => ({ id, label: EVENT_TYPES[id] }))}
                  value={event.type}
                  onChange={(chosen) => edit(index, { type: chosen as EventType })}
                  error={faultAt(`${place}.type`)}
                  isDisabled={isDisabled}
                />
              )}
              {hasKey(event.type) && (
                <TextField
                  label="Key in the metadata"
                  isCode
                  value={event.metadataKey}
                  onChange={(metadataKey) => edit(index, { metadataKey })}
                  error={faultAt(`${place}.metadataKey`)}
                  isDisabled={isDisabled}
                />
              )}
              <IconButton
                label={`Remove ${title.toLowerCase()}`}
                onPress={() => onChange(events.toSpliced(index, 1))}
                disabledReason={disabledReason}
              >
                <Trash2 aria-hidden="true" />
              </IconButton>
            </div>
            <CriteriaFields
              criteria={event.criteria}
              onChange={(criteria) => edit(index, { criteria })}
              disabledReason={disabledReason}
              faultAt={(property) => faultAt(`${place}.${property}`)}
            />
          </fieldset>
        );
      })}
    </Section>
  );
}
