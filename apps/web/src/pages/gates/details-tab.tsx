import entity from "../../entity/entity.module.css";
import { Facts } from "../../entity/facts.tsx";
import { MetricsField } from "../../entity/metrics-field.tsx";
import { OwnerField } from "../../entity/owner-field.tsx";
import { ReviewSettingsField } from "../../entity/review-settings-field.tsx";
import { TagsField } from "../../entity/tags-field.tsx";
import { TeamField } from "../../entity/team-field.tsx";
import { guardrailFaultAt, setPausing } from "../../guardrails/guardrail-draft.ts";
import { GuardrailFields } from "../../guardrails/guardrail-fields.tsx";
import { releaseLock } from "../../releases/locked.ts";
import { PipelineField } from "../../releases/pipeline-field.tsx";
import { Section } from "../../shell/page.tsx";
import { Select } from "../../ui/choice.tsx";
import { Checkbox, Switch, TextField } from "../../ui/field.tsx";
import { formatNumber } from "../../ui/number-text.ts";
import { setFields } from "./gate-draft.ts";
import type { TabProps } from "./tab-props.ts";

export default function DetailsTab({ draft, onChange, disabledReason, faults }: TabProps) {
  const { fields } = draft;
  const { entity: base } = draft.stored;
  const faultAt = (property: string) => faults.find((fault) => fault.property === property)?.message;
  const set = (changed: Parameters<typeof setFields>[1]) => onChange(setFields(draft, changed));
  const isDisabled = disabledReason !== undefined;
  return (
    <div className={entity.columns}>
      <Section title="Description">
        <div className={entity.card}>
          <TextField label="Name" value={fields.name} onChange={(name) => set({ name })} error={faultAt("name")} isDisabled={isDisabled} />
          <TextField
            label="Description"
            rows={4}
            value={fields.description}
            onChange={(description) => set({ description })}
            error={faultAt("description")}
            isDisabled={isDisabled}
          />
          <TagsField tags={fields.tags} onChange={(tags) => set({ tags })} isDisabled={isDisabled} error={faultAt("tags")} />
          <TeamField value={fields} onChange={set} isDisabled={isDisabled} error={faultAt("teamID") ?? faultAt("team")} />
          <OwnerField value={fields.owner} onChange={set} isDisabled={isDisabled} error={faultAt("owner")} />
          <Select
            label="Type"
            options={[
              { id: "TEMPORARY", label: "Temporary: remove it after the rollout" },
              { id: "PERMANENT", label: "Permanent" },
            ]}
            value={fields.type === "PERMANENT" ? "PERMANENT" : "TEMPORARY"}
            onChange={(type) => set({ type: type as "TEMPORARY" | "PERMANENT" })}
            isDisabled={isDisabled}
          />
          <Switch
            isSelected={fields.measureMetricLifts}
            onChange={(measureMetricLifts) => set({ measureMetricLifts })}
            isDisabled={isDisabled}
          >
            Store exposures of partial rollouts for results
          </Switch>
          <ReviewSettingsField value={fields.reviewSettings} onChange={set} isDisabled={isDisabled} error={faultAt("reviewSettings")} />
          <PipelineField
            value={fields.releasePipelineID}
            onChange={set}
            disabledReason={disabledReason ?? releaseLock(base)}
            error={faultAt("releasePipelineID")}
          />
        </div>
        <MetricsField
          label="Monitoring metrics"
          description="Compare users who pass a rule with users who fail it. Set a guardrail to be alerted when a metric gets significantly worse."
          metrics={fields.monitoringMetrics}
          onChange={(monitoringMetrics) => set({ monitoringMetrics })}
          each={(metric, index) => {
            const change = (changed: typeof metric) => set({ monitoringMetrics: fields.monitoringMetrics.with(index, changed) });
            return (
              <GuardrailFields
                metric={metric}
                onChange={change}
                error={guardrailFaultAt(faults, "monitoringMetrics", index)}
                isDisabled={isDisabled}
                added={{ pausesRollouts: true }}
              >
                <Checkbox
                  isSelected={metric.guardrail?.pausesRollouts === true}
                  onChange={(isPausing) => change(setPausing(metric, isPausing))}
                  isDisabled={isDisabled || metric.guardrail === undefined}
                >
                  Pause rollouts
                </Checkbox>
              </GuardrailFields>
            );
          }}
          disabledReason={disabledReason}
          error={faultAt("monitoringMetrics")}
        />
      </Section>
      <Facts
        id={base.id}
        of={base}
        facts={[
          { term: "Unit ID type", is: <bdi>{base.idType}</bdi> },
          { term: "Checks in the last hour", is: formatNumber(base.checksPerHour) },
          { term: "Target apps", is: <bdi>{base.targetApps.join(", ") || "All"}</bdi> },
        ]}
      />
    </div>
  );
}
