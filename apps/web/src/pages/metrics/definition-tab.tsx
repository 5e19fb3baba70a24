import type { EditProps } from "../../entity/entity-page.tsx";
import { Json5Field } from "../../entity/json5-field.tsx";
import { MetricsField } from "../../entity/metrics-field.tsx";
import { setFields } from "../../saving/draft-model.ts";
import { Section } from "../../shell/page.tsx";
import { Notice } from "../../ui/notice.tsx";
import { EventFields } from "./event-fields.tsx";
import { type Fields, hasEvents, hasWindow, isComposite, isDefinedByText, type MetricDraft } from "./metric-draft.ts";
import { COMPONENTS, isAutomatic, TYPES } from "./metric-words.ts";
import { Preview } from "./preview.tsx";
import { WindowFields } from "./window-fields.tsx";

/** What the metric computes. */
export function DefinitionTab({ draft, onChange, disabledReason, faults }: EditProps<MetricDraft>) {
  const { fields, stored } = draft;
  const { type } = stored.entity;
  const set = (changed: Partial<Fields>) => onChange(setFields(draft, changed));
  const faultAt = (property: string) => faults.find((fault) => fault.property === property)?.message;
  const own = { disabledReason, faultAt };
  if (isAutomatic(type))
    return (
      <>
        <p>{stored.entity.description}</p>
        <Preview draft={draft} isIncomplete={false} />
      </>
    );
  const unplaced = faults.filter(({ property }) => /^(warehouseNative|funnelEventList|definition)/.test(property));
  return (
    <>
      <p>{TYPES[type].hint}.</p>
      {hasEvents(type) && <EventFields type={type} events={fields.events} onChange={(events) => set({ events })} {...own} />}
      {isComposite(type) && (
        <MetricsField
          label="Metrics"
          description="Their amounts are added up for each unit."
          metrics={fields.components}
          onChange={(components) => set({ components })}
          types={COMPONENTS[type] ?? []}
          disabledReason={disabledReason}
          error={faultAt("metricComponentMetrics")}
        />
      )}
      {isDefinedByText(type) && (
        <Section
          title={type === "funnel" ? "Steps" : "Aggregation"}
          description={
            type === "funnel"
              ? "The steps in their order, as funnelEventList of the API has them."
              : "How the rows of a unit become its number, as warehouseNative of the API has it."
          }
        >
          {unplaced.map(({ property, message }) => (
            <Notice key={`${property} ${message}`} tone="bad">
              {property === "definition" ? message : `${property}: ${message}`}
            </Notice>
          ))}
          <Json5Field
            label="Definition"
            isLabelHidden
            value={fields.definition}
            onChange={(definition) => set({ definition })}
            isReadOnly={disabledReason !== undefined}
            hasForm={false}
          />
        </Section>
      )}
      {hasWindow(type) && <WindowFields type={type} fields={fields} set={set} {...own} />}
      <Preview draft={draft} isIncomplete={faults.some(({ level }) => level === "error")} />
    </>
  );
}
