import { type ReactNode, Suspense, useState } from "react";
import { Shares } from "../../charts/shares.tsx";
import entity from "../../entity/entity.module.css";
import { GateChoice } from "../../entity/entity-choice.tsx";
import { MetricsField } from "../../entity/metrics-field.tsx";
import { guardrailFaultAt } from "../../guardrails/guardrail-draft.ts";
import { GuardrailFields } from "../../guardrails/guardrail-fields.tsx";
import { setFields } from "../../saving/draft-model.ts";
import { Section } from "../../shell/page.tsx";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import { soon } from "../../ui/soon.tsx";
import { AdjustmentFields } from "./adjustment-fields.tsx";
import { checklist } from "./checklist.ts";
import type { Fields } from "./experiment-draft.ts";
import styles from "./experiments.module.css";
import { GroupsEditor } from "./groups-editor.tsx";
import { MetricTestFields } from "./metric-test-fields.tsx";
import type { Need } from "./power.ts";
import { SetupOverview, sectionID } from "./setup-overview.tsx";
import { STEPS, type StepID, setupSteps, setupSummary } from "./setup-steps.ts";
import { isRunning } from "./states.ts";
import type { TabProps } from "./tab-props.ts";

const UnitSources = soon(() => import("./unit-sources.tsx"));
const PowerSection = soon(() => import("./power-section.tsx"));

/** The tested change, its audience, and the steps left before the start. */
export default function SetupTab(props: TabProps) {
  const { draft, onChange, disabledReason, faults } = props;
  const { fields, stored } = draft;
  const faultAt = (property: string) => faults.find((fault) => fault.property === property)?.message;
  const set = (changed: Partial<typeof fields>) => onChange(setFields(draft, changed));
  const isDisabled = disabledReason !== undefined;
  const planIn = (list: "primaryMetrics" | "secondaryMetrics") => (metric: Fields[typeof list][number], index: number) => {
    const onMetric = (changed: typeof metric) => set({ [list]: fields[list].with(index, changed) });
    return (
      <>
        <MetricTestFields
          metric={metric}
          onChange={onMetric}
          error={faultAt(`${list}[${index}].nonInferiorityMargin`)}
          isDisabled={isDisabled}
        />
        <GuardrailFields metric={metric} onChange={onMetric} error={guardrailFaultAt(faults, list, index)} isDisabled={isDisabled} />
      </>
    );
  };
  const [needs, setNeeds] = useState<readonly Need[]>([]);
  const isInSetup = stored.entity.status === "setup";
  return (
    <div className={isInSetup ? styles.setup : styles.steps}>
      {isInSetup && <SetupOverview summary={setupSummary(fields, stored.entity.layerID)} steps={setupSteps(checklist(fields, needs))} />}
      <div className={styles.steps}>
        <SetupStep id="hypothesis">
          <Section title={STEPS.hypothesis} description="The change you expect, and why.">
            <TextField
              label="Hypothesis"
              isLabelHidden
              rows={4}
              value={fields.hypothesis}
              onChange={(hypothesis) => set({ hypothesis })}
              placeholder="A green button gets more clicks because it stands out."
              error={faultAt("hypothesis")}
              isDisabled={isDisabled}
            />
          </Section>
        </SetupStep>
        <SetupStep id="groups">
          <GroupsEditor {...props} />
        </SetupStep>
        <SetupStep id="metrics">
          <Section
            title={STEPS.metrics}
            description="Used to compare the groups. Set a guardrail to be alerted when a metric gets significantly worse."
          >
            <MetricsField
              label="Primary metrics"
              description="The metrics that you decide by."
              metrics={fields.primaryMetrics}
              onChange={(primaryMetrics) => set({ primaryMetrics: primaryMetrics })}
              each={planIn("primaryMetrics")}
              disabledReason={disabledReason}
              error={faultAt("primaryMetrics")}
            />
            <MetricsField
              label="Secondary metrics"
              description="Guardrails and supporting metrics."
              metrics={fields.secondaryMetrics}
              onChange={(secondaryMetrics) => set({ secondaryMetrics: secondaryMetrics })}
              each={planIn("secondaryMetrics")}
              disabledReason={disabledReason}
              error={faultAt("secondaryMetrics")}
            />
          </Section>
        </SetupStep>
        <SetupStep id="duration">
          <Section title={STEPS.duration}>
            <div className={entity.card}>
              <NumberField
                label="Planned duration"
                value={fields.duration}
                onChange={(duration) => set({ duration })}
                minValue={2}
                step={1}
                unit="days"
                error={faultAt("duration")}
                isDisabled={isDisabled}
              />
            </div>
          </Section>
          {isInSetup && (
            <Suspense>
              <PowerSection
                {...{ fields, disabledReason }}
                experiment={stored.entity}
                onNeeds={setNeeds}
                onDuration={(duration) => set({ duration })}
              />
            </Suspense>
          )}
        </SetupStep>
        <SetupStep id="audience">
          <Section title={STEPS.audience}>
            <div className={entity.card}>
              <NumberField
                label={
                  stored.entity.layerID === null
                    ? "Allocation: share of all users"
                    : `Allocation: share of the layer ${stored.entity.layerID}`
                }
                value={fields.allocation}
                onChange={(allocation) => set({ allocation })}
                minValue={0}
                maxValue={100}
                step={0.1}
                unit="%"
                error={faultAt("allocation")}
                isDisabled={isDisabled}
              />
              <Shares
                title="Split of users"
                unit="units"
                shares={fields.groups.map(({ name, size }, index) => ({
                  id: String(index),
                  label: name,
                  percent: (size * fields.allocation) / 100,
                }))}
                remainder="Not in the experiment"
              />
              <TargetingGate
                gateID={fields.targetingGateID}
                onChange={(targetingGateID) => set({ targetingGateID })}
                isDisabled={isDisabled}
                error={faultAt("targetingGateID")}
              />
              <Suspense>
                <UnitSources
                  experiment={stored.entity}
                  isFixed={isDisabled || isRunning(stored.entity)}
                  {...{ fields, set, disabledReason, faultAt }}
                />
              </Suspense>
            </div>
          </Section>
        </SetupStep>
        <AdjustmentFields {...{ fields, set, disabledReason, faultAt }} />
      </div>
    </div>
  );
}

/** A section that the overview leads to. */
function SetupStep({ id, children }: { id: StepID; children: ReactNode }) {
  return (
    <div id={sectionID(id)} className={styles.steps} tabIndex={-1}>
      {children}
    </div>
  );
}

type GateProps = { gateID: string | null; onChange: (gateID: string | null) => void; isDisabled: boolean; error: string | undefined };

function TargetingGate({ gateID, onChange, isDisabled, error }: GateProps) {
  const isLimited = gateID !== null && gateID !== "";
  if (!isLimited)
    return (
      <GateChoice
        label="Targeting gate"
        placeholder="Everyone can take part"
        value={null}
        onChange={onChange}
        isDisabled={isDisabled}
        error={error}
      />
    );
  return (
    <div className={styles.row}>
      <span>
        Only users who pass this gate take part: <code>{gateID}</code>.
      </span>
      <Button onPress={() => onChange(null)} isDisabled={isDisabled}>
        Remove targeting gate
      </Button>
      {error !== undefined && <span role="alert">{error}</span>}
    </div>
  );
}
