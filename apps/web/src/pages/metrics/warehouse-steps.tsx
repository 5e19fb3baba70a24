import { CriteriaFields } from "../../criteria/criteria-fields.tsx";
import { EventField } from "../../entity/event-field.tsx";
import { Select } from "../../ui/choice.tsx";
import { Checkbox, TextField } from "../../ui/field.tsx";
import { STARTS } from "./definition-words.ts";
import styles from "./metrics.module.css";
import { OptionalNumber } from "./number-fields.tsx";
import type { WarehouseProps } from "./outlier-fields.tsx";
import { ROWS, SourceChoice } from "./source-fields.tsx";
import { StepList } from "./step-list.tsx";
import { newStep, type Warehouse } from "./warehouse-draft.ts";

const START_CHOICE = Object.entries(STARTS).map(([id, label]) => ({ id, label }));
const MAX_DAYS = 90;

/** The steps of a funnel, and its completion. */
export function WarehouseSteps({ warehouse, set, ...own }: WarehouseProps) {
  const { funnelEvents, funnelCalculationWindow, funnelStartCriteria = "start_event", funnelStrictOrdering = false } = warehouse;
  const isDisabled = own.disabledReason !== undefined;
  return (
    <StepList
      steps={funnelEvents}
      onChange={(steps) => set({ funnelEvents: steps })}
      newStep={newStep}
      place="warehouseNative.funnelEvents"
      description="A unit completes the funnel if it does all steps in order."
      {...own}
      above={
        <>
          <div className={styles.fields}>
            <Select
              label="Funnel entry"
              options={START_CHOICE}
              value={funnelStartCriteria}
              onChange={(id) => set({ funnelStartCriteria: id as Warehouse["funnelStartCriteria"] })}
              error={own.faultAt("warehouseNative.funnelStartCriteria")}
              isDisabled={isDisabled}
            />
            <OptionalNumber
              label="Days for the last step"
              description="After the first step. Leave empty to use the whole window."
              value={funnelCalculationWindow}
              onChange={(days) => set({ funnelCalculationWindow: days })}
              {...{ min: 1, max: MAX_DAYS, isWhole: true }}
              error={own.faultAt("warehouseNative.funnelCalculationWindow")}
              isDisabled={isDisabled}
            />
          </div>
          <Checkbox
            isSelected={funnelStrictOrdering}
            onChange={(isStrict) => set({ funnelStrictOrdering: isStrict })}
            isDisabled={isDisabled}
          >
            Ignore steps in the same millisecond
          </Checkbox>
        </>
      }
    >
      {({ name, metricSourceName, criteria }, edit, place) => (
        <>
          <div className={styles.fields}>
            <Select
              label="Rows come from"
              options={ROWS}
              value={metricSourceName === undefined ? "events" : "source"}
              onChange={(id) => edit({ metricSourceName: id === "source" ? "" : undefined })}
              isDisabled={isDisabled}
            />
            {metricSourceName === undefined ? (
              <EventField
                label="Event name"
                value={name}
                onChange={(given) => edit({ name: given })}
                error={own.faultAt(`${place}.name`)}
                isDisabled={isDisabled}
              />
            ) : (
              <>
                <SourceChoice
                  value={metricSourceName}
                  onChange={(source) => edit({ metricSourceName: source })}
                  error={own.faultAt(`${place}.metricSourceName`)}
                  isDisabled={isDisabled}
                />
                <TextField
                  label="Step name"
                  value={name}
                  onChange={(given) => edit({ name: given })}
                  error={own.faultAt(`${place}.name`)}
                  isDisabled={isDisabled}
                />
              </>
            )}
          </div>
          <CriteriaFields
            criteria={criteria}
            onChange={(changed) => edit({ criteria: changed })}
            place={`${place}.criteria`}
            kind={metricSourceName === undefined ? "events" : "source"}
            {...own}
          />
        </>
      )}
    </StepList>
  );
}
