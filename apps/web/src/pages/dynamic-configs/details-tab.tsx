import styles from "../../entity/entity.module.css";
import { Facts } from "../../entity/facts.tsx";
import { TagsField } from "../../entity/tags-field.tsx";
import { TeamField } from "../../entity/team-field.tsx";
import { Section } from "../../shell/page.tsx";
import { TextField } from "../../ui/field.tsx";
import { setFields } from "./dynamic-config-draft.ts";
import type { TabProps } from "./tab-props.ts";

export default function DetailsTab({ draft, onChange, disabledReason, faults }: TabProps) {
  const { fields, stored } = draft;
  const { entity } = stored;
  const faultAt = (property: string) => faults.find((fault) => fault.property === property)?.message;
  const set = (changed: Parameters<typeof setFields>[1]) => onChange(setFields(draft, changed));
  const isDisabled = disabledReason !== undefined;
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
          <TagsField tags={fields.tags} onChange={(tags) => set({ tags })} isDisabled={isDisabled} error={faultAt("tags")} />
          <TeamField value={fields.teamID} onChange={set} isDisabled={isDisabled} error={faultAt("teamID") ?? faultAt("team")} />
        </div>
      </Section>
      <Facts
        id={entity.id}
        of={entity}
        facts={[
          { term: "Unit ID type", is: <bdi>{entity.idType}</bdi> },
          { term: "Reads in the last hour", is: new Intl.NumberFormat().format(entity.checksPerHour) },
          { term: "Target apps", is: <bdi>{entity.targetApps.join(", ") || "All"}</bdi> },
        ]}
      />
    </div>
  );
}
