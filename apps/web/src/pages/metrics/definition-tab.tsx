import { useMemo } from "react";
import type { EditProps } from "../../entity/entity-page.tsx";
import { MetricsField } from "../../entity/metrics-field.tsx";
import { isAutomatic } from "../../results/metric-days.ts";
import { setFields } from "../../saving/draft-model.ts";
import type { Fault } from "../../targeting/types.ts";
import { soon } from "../../ui/soon.tsx";
import { EventFields } from "./event-fields.tsx";
import { type Fields, hasEvents, hasWindow, isComposite, type MetricDraft } from "./metric-draft.ts";
import { COMPONENTS, TYPES } from "./metric-words.ts";
import { warehouseDraft } from "./warehouse-draft.ts";
import { WindowFields } from "./window-fields.tsx";

const AggregationFields = soon(async () => ({ default: (await import("./aggregation-fields.tsx")).AggregationFields }));
const FunnelFields = soon(async () => ({ default: (await import("./funnel-fields.tsx")).FunnelFields }));
const Preview = soon(async () => ({ default: (await import("./preview.tsx")).Preview }));

/** The metric's definition. */
export function DefinitionTab({ draft, onChange, disabledReason, faults }: EditProps<MetricDraft>) {
  const { fields, stored } = draft;
  const { type, warehouseNative } = stored.entity;
  const storedWarehouse = useMemo(() => warehouseDraft(warehouseNative), [warehouseNative]);
  const set = (changed: Partial<Fields>) => onChange(setFields(draft, changed));
  const own = { disabledReason, faultAt: (place: string) => faultIn(faults, place)?.message };
  if (isAutomatic(type)) return <Preview draft={draft} isIncomplete={false} />;
  return (
    <>
      <p>{TYPES[type].hint}.</p>
      <Preview draft={draft} isIncomplete={faults.some(({ level }) => level === "error")} />
      {hasEvents(type) && type !== "user_warehouse" && (
        <EventFields type={type} events={fields.events} onChange={(events) => set({ events })} {...own} />
      )}
      {isComposite(type) && (
        <MetricsField
          label="Metrics"
          description="Added up per unit."
          metrics={fields.components}
          onChange={(components) => set({ components })}
          types={COMPONENTS[type] ?? []}
          disabledReason={disabledReason}
          error={own.faultAt("metricComponentMetrics")}
        />
      )}
      {type === "funnel" && <FunnelFields steps={fields.steps} counted={fields.funnelCountDistinct} set={set} {...own} />}
      {type === "user_warehouse" && <AggregationFields fields={fields} stored={storedWarehouse} set={set} {...own} />}
      {hasWindow(type) && <WindowFields type={type} fields={fields} set={set} {...own} />}
    </>
  );
}

/** The fault at a path, or at an item of the list there. Items with fields show the faults of the fields. */
function faultIn(faults: readonly Fault[], place: string): Fault | undefined {
  const isItem = (property: string) => property.startsWith(`${place}[`) && property.endsWith("]");
  return faults.find(({ property }) => property === place) ?? faults.find(({ property }) => isItem(property));
}
