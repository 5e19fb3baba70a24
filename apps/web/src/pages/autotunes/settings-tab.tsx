import entity from "../../entity/entity.module.css";
import { EventField } from "../../entity/event-field.tsx";
import { setFields } from "../../saving/draft-model.ts";
import { Section } from "../../shell/page.tsx";
import { Select } from "../../ui/choice.tsx";
import { Switch, TextField } from "../../ui/field.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import type { Fields } from "./autotune-draft.ts";
import type { TabProps } from "./tab-props.ts";

const GOALS = [
  { id: "occurrence", label: "Maximize the share of users with an outcome" },
  { id: "value", label: "Maximize the total outcome per user" },
];
const EXPLORATIONS = [
  { id: "1hr", label: "1 hour" },
  { id: "24hr", label: "1 day" },
  { id: "48hr", label: "2 days" },
  { id: "168hr", label: "7 days" },
  { id: "336hr", label: "14 days" },
];
const NUMBERS = ["1", "2", "4", "24"].map((id) => ({ id, label: id }));
const UNITS = [
  { id: "min", label: "minutes" },
  { id: "hour", label: "hours" },
  { id: "day", label: "days" },
];
const THRESHOLDS = ["80%", "90%", "95%", "98%", "99%"].map((id) => ({ id, label: id }));

/** The outcome, and how traffic follows from outcomes. */
export function SettingsTab({ draft, onChange, disabledReason, faults }: TabProps) {
  const { fields } = draft;
  const set = (changed: Partial<Fields>) => onChange(setFields(draft, changed));
  const isDisabled = disabledReason !== undefined;
  const at = (property: string) => ({ error: faults.find((fault) => fault.property === property)?.message, isDisabled });
  const share = (label: string, description: string, value: number, setShare: (share: number) => void, least: number) => (
    <NumberField
      label={label}
      description={description}
      value={Math.round(value * 1000) / 10}
      onChange={(percent) => setShare(Math.round(percent * 10) / 1000)}
      minValue={least}
      maxValue={100}
      step={0.1}
      unit="%"
      isDisabled={isDisabled}
    />
  );
  return (
    <div className={entity.columns}>
      <Section title="Outcome">
        <div className={entity.card}>
          <EventField
            label="Event"
            value={fields.successEvent}
            onChange={(successEvent) => set({ successEvent })}
            description="Each event with this name counts as an outcome."
            {...at("successEvent")}
          />
          <TextField
            label="Only if the text is"
            value={fields.successEventValue}
            onChange={(successEventValue) => set({ successEventValue })}
            description="Leave empty to count all events with this name."
            {...at("successEventValue")}
          />
          <TextField
            label="Metadata key of the text"
            value={fields.metadataField}
            onChange={(metadataField) => set({ metadataField })}
            description="Leave empty to use the event’s value."
            {...at("metadataField")}
          />
          <Select
            label="The best variant"
            options={GOALS}
            value={fields.optimizationParameter}
            onChange={(id) =>
              set({ optimizationParameter: id as Fields["optimizationParameter"], ...(id !== "value" && { valueColumn: "" }) })
            }
            {...at("optimizationParameter")}
          />
          {fields.optimizationParameter === "value" && (
            <TextField
              label="Metadata key of the number"
              value={fields.valueColumn}
              onChange={(valueColumn) => set({ valueColumn })}
              description="Leave empty to use the event’s value."
              {...at("valueColumn")}
            />
          )}
          <Switch isSelected={fields.higherIsBetter} onChange={(higherIsBetter) => set({ higherIsBetter })} isDisabled={isDisabled}>
            Higher is better
          </Switch>
          <div className={entity.row}>
            <Select
              label="Outcome window"
              options={NUMBERS}
              value={fields.attribution}
              onChange={(attribution) => set({ attribution })}
              {...at("attributionWindow")}
            />
            <Select
              label="Unit of time"
              options={UNITS}
              value={fields.attributionWindowUnit}
              onChange={(id) => set({ attributionWindowUnit: id as Fields["attributionWindowUnit"] })}
              {...at("attributionWindowUnit")}
            />
          </div>
        </div>
      </Section>
      <Section title="Traffic and decision">
        <div className={entity.card}>
          <Select
            label="Exploration"
            options={EXPLORATIONS}
            value={fields.explorationWindow}
            onChange={(id) => set({ explorationWindow: id as Fields["explorationWindow"] })}
            description="No winner is declared before it ends."
            {...at("explorationWindow")}
          />
          {share(
            "Split equally during exploration",
            "The rest goes to the variant that’s most likely best.",
            fields.explorationWindowRate,
            (explorationWindowRate) => set({ explorationWindowRate }),
            0.1,
          )}
          {share(
            "Split equally after exploration",
            "Keeps every variant learning. 0 turns this off.",
            fields.longtermExplorationAllocation ?? 0,
            (value) => set({ longtermExplorationAllocation: value === 0 ? null : value }),
            0,
          )}
          <Select
            label="Declare a winner at a probability of"
            options={THRESHOLDS}
            value={fields.winnerThreshold}
            onChange={(id) => set({ winnerThreshold: id as Fields["winnerThreshold"] })}
            description="The probability of being the best variant. Everyone then gets it."
            {...at("winnerThreshold")}
          />
        </div>
      </Section>
    </div>
  );
}
