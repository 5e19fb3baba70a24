import styles from "../../entity/entity.module.css";
import { Facts } from "../../entity/facts.tsx";
import { TagsField } from "../../entity/tags-field.tsx";
import { TeamField } from "../../entity/team-field.tsx";
import { setFields } from "../../saving/draft-model.ts";
import { EntityLink } from "../../shell/entity-link.tsx";
import { Section } from "../../shell/page.tsx";
import { TextField } from "../../ui/field.tsx";
import { Time } from "../../ui/time.tsx";
import type { TabProps } from "./tab-props.ts";

export default function DetailsTab({ draft, onChange, disabledReason, faults }: TabProps) {
  const { fields, stored } = draft;
  const { entity } = stored;
  const faultAt = (property: string) => faults.find((fault) => fault.property === property)?.message;
  const set = (changed: Partial<typeof fields>) => onChange(setFields(draft, changed));
  const isDisabled = disabledReason !== undefined;
  const time = (given: number | null) => (given === null ? "Not yet" : <Time time={given} />);
  return (
    <div className={styles.columns}>
      <Section title="Description">
        <div className={styles.card}>
          <TextField label="Name" value={fields.name} onChange={(name) => set({ name })} error={faultAt("name")} isDisabled={isDisabled} />
          <TextField
            label="Description"
            rows={4}
            value={fields.description}
            onChange={(description) => set({ description })}
            error={faultAt("description")}
            isDisabled={isDisabled}
          />
          <TagsField tags={[...fields.tags]} onChange={(tags) => set({ tags })} isDisabled={isDisabled} error={faultAt("tags")} />
          <TeamField value={fields.teamID} onChange={set} isDisabled={isDisabled} error={faultAt("teamID") ?? faultAt("team")} />
        </div>
      </Section>
      <Facts
        id={entity.id}
        of={entity}
        facts={[
          { term: "Unit ID type", is: <bdi>{entity.idType}</bdi> },
          {
            term: "Layer",
            is:
              entity.layerID === null ? (
                "None: it has all units for itself"
              ) : (
                <EntityLink type="layer" id={entity.layerID} name={entity.layerID} />
              ),
          },
          { term: "Started", is: time(entity.startTime) },
          { term: "Ended", is: time(entity.endTime) },
          { term: "Decided", is: time(entity.decisionTime) },
          ...(entity.decisionReason === null ? [] : [{ term: "Because", is: <bdi>{entity.decisionReason}</bdi> }]),
          { term: "Holdouts", is: <bdi>{entity.holdoutIDs.join(", ") || "None"}</bdi> },
          { term: "Target apps", is: <bdi>{entity.targetApps.join(", ") || "All"}</bdi> },
        ]}
      />
    </div>
  );
}
