import { Plus } from "lucide-react";
import { MetricsField } from "../../entity/metrics-field.tsx";
import { GuardrailFields } from "../../guardrails/guardrail-fields.tsx";
import type { EditRules } from "../../rules/edits.ts";
import styles from "../../rules/rules.module.css";
import type { Fault } from "../../targeting/types.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox, TextField } from "../../ui/field.tsx";
import { AlertsField } from "./alerts-field.tsx";
import { DurationField } from "./duration-field.tsx";
import { addPhaseRule, type PhaseDraft } from "./phase-draft.ts";
import { PhaseRule } from "./phase-rule.tsx";

type Props = {
  phase: PhaseDraft;
  onChange: (changed: Partial<PhaseDraft>) => void;
  /** Faults of the phase, and the start of its properties in them. */
  faults: readonly Fault[];
  prefix: string;
};

/** The fields of an open phase. */
export default function PhaseEditor({ phase, onChange, faults, prefix }: Props) {
  const { name, timeIntervalMs, requiredReview, rules, guardrailMetrics, guardrailAlerts } = phase;
  const faultAt = (property: string) => faults.find((fault) => fault.property === `${prefix}${property}`)?.message;
  const startingAt = (property: string) => faults.find((fault) => fault.property.startsWith(`${prefix}${property}`))?.message;
  const edit: EditRules = (change) => onChange({ rules: change(rules) });
  return (
    <div className={styles.editor}>
      <div className={styles.row}>
        <div className={styles.grow}>
          <TextField label="Phase name" value={name} onChange={(text) => onChange({ name: text })} error={faultAt("name")} />
        </div>
        <DurationField
          label="Duration"
          value={timeIntervalMs}
          onChange={(ms) => onChange({ timeIntervalMs: ms })}
          error={faultAt("timeIntervalMs")}
        />
      </div>
      {timeIntervalMs === 0 && <span className={styles.note}>The next phase begins at the same time.</span>}
      <Checkbox isSelected={requiredReview} onChange={(isRequired) => onChange({ requiredReview: isRequired })}>
        Require approval before this phase begins
      </Checkbox>
      {rules.items.map((item, index) => (
        <PhaseRule key={item.key} {...{ item, edit, faults }} prefix={`${prefix}rules[${index}].`} />
      ))}
      <div>
        <Button onPress={() => onChange({ rules: addPhaseRule(phase) })}>
          <Plus aria-hidden="true" />
          Add rule
        </Button>
      </div>
      <MetricsField
        label="Guardrail metrics"
        description="Pause the release when a metric gets worse by more than its limit. For gates only."
        metrics={guardrailMetrics}
        onChange={(metrics) => onChange({ guardrailMetrics: metrics })}
        each={(metric, index) => (
          <GuardrailFields
            metric={metric}
            onChange={(changed) => onChange({ guardrailMetrics: guardrailMetrics.with(index, changed) })}
            error={startingAt(`guardrailMetrics[${index}]`)}
            isDisabled={false}
          />
        )}
        disabledReason={undefined}
        error={faultAt("guardrailMetrics")}
      />
      <AlertsField
        alerts={guardrailAlerts}
        onChange={(alerts) => onChange({ guardrailAlerts: alerts })}
        error={startingAt("guardrailAlerts")}
      />
    </div>
  );
}
