import { CriteriaFields } from "../../criteria/criteria-fields.tsx";
import entity from "../../entity/entity.module.css";
import { Section } from "../../shell/page.tsx";
import { Select } from "../../ui/choice.tsx";
import { needsColumn, takenBy } from "./aggregations.ts";
import { EventFields } from "./event-fields.tsx";
import styles from "./metrics.module.css";
import type { WarehouseProps } from "./outlier-fields.tsx";
import { ColumnField, PartChoice, ROWS, SourceChoice } from "./source-fields.tsx";
import { type Computed, takesEvents, withPart, withSource } from "./warehouse-draft.ts";

const DENOMINATOR_ROWS = [
  { id: "same", label: "The source of the numerator" },
  { id: "other", label: "Another metric source" },
];

const AGGREGATED = "Values to aggregate per unit.";
const ON_WAREHOUSE = "Rows are read from your warehouse.";

type RowsProps = WarehouseProps & { computed: Computed; change: (computed: Computed) => void };

/** The aggregated rows: events, or those of a metric source. */
export function WarehouseRows({ computed, change, warehouse, set, ...own }: RowsProps) {
  const { aggregation, numeratorAggregation, denominatorAggregation } = warehouse;
  const isRatio = aggregation === "ratio";
  const isOfEvents = takesEvents(warehouse);
  const isDisabled = own.disabledReason !== undefined;
  const parts = [
    { name: "numerator", of: numeratorAggregation },
    { name: "denominator", of: denominatorAggregation },
  ] as const;
  const partAt = (index: number) => parts[index] ?? parts[0];
  const partChoice = (index: number) => {
    const { name, of } = partAt(index);
    return (
      <PartChoice
        value={of}
        onChange={(chosen) => change(withPart(computed, name, chosen))}
        error={own.faultAt(`warehouseNative.${name}Aggregation`)}
        isDisabled={isDisabled}
      />
    );
  };
  return (
    <>
      <Section title="Rows" description={isOfEvents ? AGGREGATED : `${AGGREGATED} ${ON_WAREHOUSE}`}>
        <div className={styles.fields}>
          <Select
            label="Rows come from"
            options={ROWS}
            value={isOfEvents ? "events" : "source"}
            onChange={(id) => change(withSource(computed, id === "source" ? "" : undefined))}
            isDisabled={isDisabled}
          />
          {!isOfEvents && (
            <SourceChoice
              value={warehouse.metricSourceName}
              onChange={(metricSourceName) => set({ metricSourceName })}
              error={own.faultAt("warehouseNative.metricSourceName")}
              isDisabled={isDisabled}
            />
          )}
        </div>
        {!isOfEvents && !isRatio && (
          <fieldset className={entity.card} aria-label="Rows of the source">
            <SourceRows {...{ warehouse, set, ...own }} part="" hasColumn={needsColumn(aggregation)} />
          </fieldset>
        )}
        {!isOfEvents &&
          isRatio &&
          parts.map(({ name, of }, index) => {
            const isDenominator = name === "denominator";
            const title = isDenominator ? "Denominator" : "Numerator";
            return (
              <fieldset key={name} className={entity.card} aria-label={title}>
                <h3>{title}</h3>
                <div className={styles.fields}>
                  {partChoice(index)}
                  {isDenominator && <DenominatorSource {...{ warehouse, set, ...own }} />}
                </div>
                <SourceRows {...{ warehouse, set, ...own }} part={isDenominator ? "denominator" : ""} hasColumn={needsColumn(of)} />
              </fieldset>
            );
          })}
      </Section>
      {isOfEvents && (
        <EventFields
          type="user_warehouse"
          events={computed.events}
          onChange={(events) => change({ ...computed, events })}
          takes={(index) => takenBy(isRatio ? (partAt(index).of ?? "count") : aggregation)}
          isRatio={isRatio}
          {...(isRatio && { also: partChoice })}
          {...own}
        />
      )}
    </>
  );
}

/** The source of the denominator's rows if it is not the numerator's. */
function DenominatorSource({ warehouse, set, disabledReason, faultAt }: WarehouseProps) {
  const { denominatorMetricSourceName: source } = warehouse;
  const isDisabled = disabledReason !== undefined;
  return (
    <>
      <Select
        label="Rows come from"
        options={DENOMINATOR_ROWS}
        value={source === undefined ? "same" : "other"}
        onChange={(id) => set({ denominatorMetricSourceName: id === "other" ? "" : undefined })}
        isDisabled={isDisabled}
      />
      {source !== undefined && (
        <SourceChoice
          value={source}
          onChange={(name) => set({ denominatorMetricSourceName: name })}
          error={faultAt("warehouseNative.denominatorMetricSourceName")}
          isDisabled={isDisabled}
        />
      )}
    </>
  );
}

type SourceRowsProps = WarehouseProps & { part: "" | "denominator"; hasColumn: boolean };

/** The column and the conditions of rows of a metric source. */
function SourceRows({ part, hasColumn, warehouse, set, ...own }: SourceRowsProps) {
  const column = part === "" ? "valueColumn" : "denominatorValueColumn";
  const criteria = part === "" ? "criteria" : "denominatorCriteria";
  return (
    <>
      {hasColumn && (
        <div className={styles.fields}>
          <ColumnField
            value={warehouse[column]}
            onChange={(name) => set({ [column]: name })}
            error={own.faultAt(`warehouseNative.${column}`)}
            isDisabled={own.disabledReason !== undefined}
          />
        </div>
      )}
      <CriteriaFields
        criteria={warehouse[criteria]}
        onChange={(changed) => set({ [criteria]: changed })}
        place={`warehouseNative.${criteria}`}
        kind="source"
        {...own}
      />
    </>
  );
}
