import entity from "../../entity/entity.module.css";
import type { EditProps } from "../../entity/entity-page.tsx";
import { Facts } from "../../entity/facts.tsx";
import { OwnerField } from "../../entity/owner-field.tsx";
import { TagsField } from "../../entity/tags-field.tsx";
import { TeamField } from "../../entity/team-field.tsx";
import { setFields } from "../../saving/draft-model.ts";
import { Section } from "../../shell/page.tsx";
import { Select } from "../../ui/choice.tsx";
import { Checkbox, TextField } from "../../ui/field.tsx";
import type { Fields, MetricDraft } from "./metric-draft.ts";
import { UnitField } from "./unit-field.tsx";

const DIRECTIONS = [
  { id: "increase", label: "Higher is better" },
  { id: "decrease", label: "Lower is better" },
];

export function DetailsTab({ draft, onChange, disabledReason, faults }: EditProps<MetricDraft>) {
  const { fields, stored } = draft;
  const { entity: metric } = stored;
  const set = (changed: Partial<Fields>) => onChange(setFields(draft, changed));
  const faultAt = (property: string) => faults.find((fault) => fault.property === property)?.message;
  const isDisabled = disabledReason !== undefined;
  return (
    <div className={entity.columns}>
      <Section title="Description">
        <div className={entity.card}>
          <TextField
            label="Description"
            rows={4}
            value={fields.description}
            onChange={(description) => set({ description })}
            error={faultAt("description")}
            isDisabled={isDisabled}
          />
          <Select
            label="Desired change"
            options={DIRECTIONS}
            value={fields.directionality}
            onChange={(id) => set({ directionality: id as Fields["directionality"] })}
            isDisabled={isDisabled}
          />
          <UnitField
            value={fields.valueUnit}
            onChange={(valueUnit) => set({ valueUnit })}
            isDisabled={isDisabled}
            error={faultAt("valueUnit")}
          />
          <TagsField tags={fields.tags} onChange={(tags) => set({ tags })} isDisabled={isDisabled} error={faultAt("tags")} />
          <TeamField value={fields} onChange={set} isDisabled={isDisabled} error={faultAt("teamID") ?? faultAt("team")} />
          <OwnerField value={fields.owner} onChange={set} isDisabled={isDisabled} error={faultAt("owner")} />
          <Checkbox isSelected={fields.isVerified} onChange={(isVerified) => set({ isVerified })} isDisabled={isDisabled}>
            Verified: reviewed and correct
          </Checkbox>
          <Checkbox isSelected={fields.isPermanent} onChange={(isPermanent) => set({ isPermanent })} isDisabled={isDisabled}>
            Permanent: can’t be archived or deleted
          </Checkbox>
        </div>
      </Section>
      <Facts id={metric.id} of={metric} facts={[{ term: "Unit ID types", is: <bdi>{metric.unitTypes.join(", ") || "All"}</bdi> }]} />
    </div>
  );
}
