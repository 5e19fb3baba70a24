import { useState } from "react";
import { AlertChoice, ExperimentChoice, MetricChoice } from "../../entity/entity-choice.tsx";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { Select } from "../../ui/choice.tsx";
import { Checkbox, TextField } from "../../ui/field.tsx";
import {
  MAX_TEXT,
  MAX_TITLE,
  missingIn,
  rangeOptions,
  TYPES,
  toWidget,
  USUAL_DAYS,
  VIEWS,
  WIDTHS,
  type Widget,
  type WidgetType,
} from "./widgets.ts";

type Props = {
  /** Undefined for a new widget. */
  widget: Widget | undefined;
  onDone: (widget: Widget) => void;
  onClose: () => void;
};

const toOptions = (names: Readonly<Record<string, string>>) => Object.entries(names).map(([id, label]) => ({ id, label }));

/** Asks what a widget shows, for the draft of the dashboard. */
export function WidgetDialog({ widget, onDone, onClose }: Props) {
  const [edited, setEdited] = useState<Widget>(widget ?? { type: "metric" });
  const set = (changed: Partial<Widget>) => setEdited({ ...edited, ...changed });
  const { type, title = "", width = "half", text = "" } = edited;
  const faults = { title: tooLong(title, MAX_TITLE), text: type === "text" ? tooLong(text, MAX_TEXT) : undefined };
  const isFaulty = Object.values(faults).some((fault) => fault !== undefined);
  return (
    <FormDialog
      title={widget === undefined ? "Add widget" : "Edit widget"}
      label={widget === undefined ? "Add" : "Apply"}
      disabledReason={missingIn(edited) ?? (isFaulty ? "Fix the highlighted fields first." : undefined)}
      isPending={false}
      error={undefined}
      onSubmit={async () => onDone(toWidget(edited))}
      onClose={onClose}
    >
      <Select label="Show" options={toOptions(TYPES)} value={type} onChange={(id) => set({ type: id as WidgetType })} />
      <Subject edited={edited} set={set} textFault={faults.text} />
      <TextField
        label="Title"
        value={title}
        onChange={(typed) => set({ title: typed })}
        description={
          type === "text" ? "Optional. Without a title, the text has no heading." : `Optional. Defaults to the name of the ${type}.`
        }
        error={faults.title}
      />
      <Select label="Width" options={toOptions(WIDTHS)} value={width} onChange={(id) => set({ width: id as keyof typeof WIDTHS })} />
    </FormDialog>
  );
}

const tooLong = (given: string, most: number): string | undefined => (given.length > most ? `Use at most ${most} characters.` : undefined);

type SubjectProps = { edited: Widget; set: (changed: Partial<Widget>) => void; textFault: string | undefined };

/** The fields of the chosen type. */
function Subject({ edited, set, textFault }: SubjectProps) {
  const { type, metricID = null, days = USUAL_DAYS, compare = false, experimentID = null, show = "scorecard", alertID = null } = edited;
  switch (type) {
    case "metric":
      return (
        <>
          <MetricChoice label="Metric" value={metricID} onChange={(id) => set({ metricID: id })} placeholder="Search metrics" />
          <Select label="Range" options={rangeOptions(days)} value={String(days)} onChange={(id) => set({ days: Number(id) })} />
          <Checkbox isSelected={compare} onChange={(isCompared) => set({ compare: isCompared })}>
            Compare with previous period
          </Checkbox>
        </>
      );
    case "experiment":
      return (
        <>
          <ExperimentChoice
            label="Experiment"
            value={experimentID}
            onChange={(id) => set({ experimentID: id })}
            placeholder="Search experiments"
          />
          <Select label="View" options={toOptions(VIEWS)} value={show} onChange={(id) => set({ show: id as keyof typeof VIEWS })} />
        </>
      );
    case "alert":
      return <AlertChoice label="Alert" value={alertID} onChange={(id) => set({ alertID: id })} placeholder="Search alerts" />;
    case "text":
      return <TextField label="Text" rows={5} value={edited.text ?? ""} onChange={(typed) => set({ text: typed })} error={textFault} />;
  }
}
