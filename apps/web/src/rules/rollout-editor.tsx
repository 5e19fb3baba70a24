import { Trash2 } from "lucide-react";
import { Suspense } from "react";
import { addStep, listSteps, removeStep, rolloutTemplate, updateStep, withSteps } from "../targeting/rollouts.ts";
import { editRule, type RuleItem } from "../targeting/rule-draft.ts";
import type { Fault, Rule } from "../targeting/types.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { DateField } from "../ui/date-field.tsx";
import { localInput } from "../ui/field-time.ts";
import { Menu } from "../ui/menu.tsx";
import { NumberField } from "../ui/number-field.tsx";
import { onDemand } from "../ui/soon.tsx";
import { zoneName } from "../ui/time-text.ts";
import type { EditRules } from "./edits.ts";
import styles from "./rules.module.css";

const RolloutSchedule = onDemand(() => import("../charts/rollout-schedule.tsx"));

type Props = { item: RuleItem; edit: EditRules; faults: readonly Fault[]; isPaused: boolean };

const DAY_HOURS = 24;
const HOUR_MS = 3_600_000;

const TEMPLATES = [
  { id: "careful", label: "Careful: 1, 5, 20, 50, 100%, one step a day", percentages: [1, 5, 20, 50, 100], everyHours: DAY_HOURS },
  { id: "steady", label: "Steady: 10, 25, 50, 100%, every two days", percentages: [10, 25, 50, 100], everyHours: 2 * DAY_HOURS },
  { id: "quick", label: "Quick: 10, 50, 100%, every hour", percentages: [10, 50, 100], everyHours: 1 },
];

/** Steps that the server takes by itself, including the ones it has taken. */
export default function RolloutEditor({ item: { key, rule }, edit, faults, isPaused }: Props) {
  const now = Date.now();
  const steps = listSteps(rule);
  const set = (change: (rule: Rule) => Rule) => edit((draft) => editRule(draft, key, change));
  const next = (steps.at(-1)?.time ?? now) + DAY_HOURS * HOUR_MS;
  return (
    <fieldset className={styles.conditions}>
      <legend className={styles.legend}>Scheduled rollout</legend>
      {(steps.length > 0 || (rule.completedAutomatedRollouts ?? []).length > 0) && (
        <Suspense>
          <RolloutSchedule
            title={`Pass percentage of ${rule.name} over time`}
            passPercentage={rule.passPercentage}
            done={rule.completedAutomatedRollouts ?? []}
            pending={steps}
            now={now}
            isPaused={isPaused}
          />
        </Suspense>
      )}
      {isPaused && steps.length > 0 && (
        <span className={styles.note}>Rollouts are paused. Each step is delayed by the length of the pause.</span>
      )}
      {steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step has no identity but its place in time.
        <div key={index} className={styles.row}>
          <div className={styles.together}>
            <DateField
              label={`Time of step ${index + 1} (${zoneName(step.time)})`}
              isLabelHidden
              hasTime
              value={localInput(step.time)}
              onChange={(text) => {
                const time = new Date(text).getTime();
                set((one) => updateStep(one, index, { ...step, time }));
              }}
            />
            <span className={styles.note} aria-hidden="true">
              {zoneName(step.time)}
            </span>
          </div>
          <div className={styles.together}>
            <NumberField
              label={`Pass percentage of step ${index + 1}`}
              isLabelHidden
              value={step.passPercent}
              minValue={0}
              maxValue={100}
              step={0.01}
              unit="%"
              onChange={(passPercent) => set((one) => updateStep(one, index, { ...step, passPercent }))}
            />
            <IconButton label={`Remove step ${index + 1}`} onPress={() => set((one) => removeStep(one, index))}>
              <Trash2 aria-hidden="true" />
            </IconButton>
          </div>
        </div>
      ))}
      {faults.map(({ property, message, level }) => (
        <span key={`${property} ${message}`} className={level === "error" ? styles.fault : styles.warning}>
          {message}
        </span>
      ))}
      <div className={styles.row}>
        <Button onPress={() => set((one) => addStep(one, { time: next, passPercent: 100 }))}>Add step</Button>
        <Menu
          label="Schedules"
          trigger={<Button>Use a schedule</Button>}
          actions={TEMPLATES.map(({ id, label, percentages, everyHours }) => ({
            id,
            label,
            onAction: () => set((one) => withSteps(one, rolloutTemplate(one, Date.now(), percentages, everyHours))),
          }))}
        />
        {steps.length > 0 && (
          <Button look="quiet" onPress={() => set((one) => withSteps(one, []))}>
            Remove all steps
          </Button>
        )}
      </div>
    </fieldset>
  );
}
