import entity from "../../entity/entity.module.css";
import type { EditProps } from "../../entity/entity-page.tsx";
import { durationOptions, PRIORITIES, REPORTS } from "../../results/alert-words.ts";
import { setFields } from "../../saving/draft-model.ts";
import { Section } from "../../shell/page.tsx";
import { Select } from "../../ui/choice.tsx";
import { Checkbox, TextField } from "../../ui/field.tsx";
import { type AlertDraft, type Fields, hasWarning, withReport } from "./alert-draft.ts";
import { ConditionFields, ThresholdField } from "./condition-fields.tsx";

/** The condition of the alert, and the repeated reports. */
export function DefinitionTab({ draft, onChange, disabledReason, faults }: EditProps<AlertDraft>) {
  const { fields } = draft;
  const set = (changed: Partial<Fields>) => onChange(setFields(draft, changed));
  const isDisabled = disabledReason !== undefined;
  const faultAt = (property: string) => faults.find((fault) => fault.property === property)?.message;
  const at = (property: string) => ({ error: faultAt(property), isDisabled });
  return (
    <div className={entity.columns}>
      <Section title="Condition">
        <div className={entity.card}>
          <ConditionFields fields={fields} set={set} faultAt={faultAt} isDisabled={isDisabled} />
          {hasWarning(fields.condition) && (
            <ThresholdField
              label="Warning threshold"
              description="Warns you before the alert threshold is reached. Leave empty for no warning."
              value={fields.warningThreshold}
              onChange={(warningThreshold) => set({ warningThreshold })}
              alertType={fields.alertType}
              {...at("warningThreshold")}
            />
          )}
        </div>
      </Section>
      <Section title="Response">
        <div className={entity.card}>
          <Select
            label="Priority"
            options={PRIORITIES.map((id) => ({ id, label: id }))}
            value={fields.priority}
            onChange={(id) => set({ priority: id as Fields["priority"] })}
            description="P0 is the most urgent."
            {...at("priority")}
          />
          <fieldset className={entity.card}>
            <legend>Repeat while triggered</legend>
            {REPORTS.map(({ id, label }) => (
              <Checkbox
                key={id}
                isSelected={fields.reports.includes(id)}
                onChange={(isReported) => set(withReport(fields, id, isReported))}
                isDisabled={isDisabled}
              >
                {label}
              </Checkbox>
            ))}
          </fieldset>
          {fields.reports.length > 0 && (
            <>
              <Select
                label="Time between reports"
                options={durationOptions(fields.reportsEveryMs)}
                value={fields.reportsEveryMs === null ? null : String(fields.reportsEveryMs)}
                onChange={(id) => set({ reportsEveryMs: Number(id) })}
                {...at("renotificationWindowMs")}
              />
              <TextField
                label="Message in repeated reports"
                rows={3}
                value={fields.reportMessage}
                onChange={(reportMessage) => set({ reportMessage })}
                description="Leave empty to use the alert’s message."
                {...at("renotificationMessage")}
              />
            </>
          )}
        </div>
      </Section>
    </div>
  );
}
