import entity from "../../entity/entity.module.css";
import { ExperimentChoice, GateChoice, LayerChoice } from "../../entity/entity-choice.tsx";
import type { EditProps } from "../../entity/entity-page.tsx";
import { EntityLink } from "../../shell/entity-link.tsx";
import { Section } from "../../shell/page.tsx";
import { unitNoun } from "../../targeting/sentences.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import { type Fields, type HoldoutDraft, setFields } from "./holdout-draft.ts";
import { IDList } from "./id-list.tsx";

/** The contract holds out no more. */
const MAX_PERCENT = 10;

/** The share held out, its audience, and the entities it is held out of. */
export function HeldTab({ draft, onChange, disabledReason, faults }: EditProps<HoldoutDraft>) {
  const { fields, stored } = draft;
  const isDisabled = disabledReason !== undefined;
  const set = (changed: Partial<Fields>) => onChange(setFields(draft, changed));
  const faultAt = (property: string) => faults.find((fault) => fault.property === property)?.message;
  const { isGlobal, targetingGateID } = fields;
  return (
    <>
      {!fields.isEnabled && <Notice tone="warn">This holdout is disabled. No users are held out.</Notice>}
      <Section title="Share">
        <div className={entity.card}>
          <NumberField
            label={`Share of ${unitNoun(stored.entity.idType)} held out`}
            value={fields.passPercentage}
            onChange={(passPercentage) => set({ passPercentage })}
            minValue={0}
            maxValue={MAX_PERCENT}
            step={0.01}
            unit="%"
            error={faultAt("passPercentage")}
            isDisabled={isDisabled}
          />
          {targetingGateID === null ? (
            <GateChoice
              label="Targeting gate"
              placeholder="Everyone can be held out"
              value={null}
              onChange={(id) => set({ targetingGateID: id })}
              isDisabled={isDisabled}
              error={faultAt("targetingGateID")}
            />
          ) : (
            <div className={entity.row}>
              <span>
                Only users who pass this gate can be held out: <EntityLink type="gate" id={targetingGateID} name={targetingGateID} />.
              </span>
              <Button onPress={() => set({ targetingGateID: null })} disabledReason={disabledReason}>
                Remove targeting gate
              </Button>
            </div>
          )}
        </div>
      </Section>
      <Section
        title="Features"
        description="For users in the holdout, these gates fail, and these experiments and layers return default values."
      >
        <Checkbox isSelected={isGlobal} onChange={(chosen) => set({ isGlobal: chosen })} isDisabled={isDisabled}>
          All gates, experiments, and layers (including new ones)
        </Checkbox>
        {isGlobal && (
          <Notice>
            Gates that the holdout depends on, such as its targeting gate, are excluded. The lists below apply again if you clear this.
          </Notice>
        )}
        <div className={entity.columns}>
          <IDList
            label="Gates"
            type="gate"
            ids={fields.gateIDs}
            onChange={(gateIDs) => set({ gateIDs })}
            disabledReason={disabledReason}
            choice={(add) => (
              <GateChoice label="Add a gate" placeholder="Search gates" value={null} onChange={add} error={faultAt("gateIDs")} />
            )}
          />
          <IDList
            label="Experiments"
            type="experiment"
            ids={fields.experimentIDs}
            onChange={(experimentIDs) => set({ experimentIDs })}
            disabledReason={disabledReason}
            choice={(add) => (
              <ExperimentChoice
                label="Add an experiment"
                placeholder="Search experiments"
                value={null}
                onChange={add}
                error={faultAt("experimentIDs")}
              />
            )}
          />
          <IDList
            label="Layers"
            type="layer"
            ids={fields.layerIDs}
            onChange={(layerIDs) => set({ layerIDs })}
            disabledReason={disabledReason}
            choice={(add) => (
              <LayerChoice label="Add a layer" placeholder="Search layers" value={null} onChange={add} error={faultAt("layerIDs")} />
            )}
          />
        </div>
      </Section>
    </>
  );
}
