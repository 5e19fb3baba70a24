import entity from "../../entity/entity.module.css";
import type { EditProps } from "../../entity/entity-page.tsx";
import { Facts } from "../../entity/facts.tsx";
import { OwnerField } from "../../entity/owner-field.tsx";
import { TeamField } from "../../entity/team-field.tsx";
import { setFields } from "../../saving/draft-model.ts";
import { Section } from "../../shell/page.tsx";
import type { Fields, IngestionSourceDraft } from "./ingestion-source-draft.ts";

/** The people who are responsible for a source, beside its facts. */
export function DetailsTab({ draft, onChange, disabledReason, faults }: EditProps<IngestionSourceDraft>) {
  const { fields, stored } = draft;
  const { entity: source } = stored;
  const set = (changed: Partial<Fields>) => onChange(setFields(draft, changed));
  const at = (...properties: string[]) => ({
    error: faults.find(({ property }) => properties.includes(property))?.message,
    isDisabled: disabledReason !== undefined,
  });
  return (
    <div className={entity.columns}>
      <Section title="Ownership">
        <div className={entity.card}>
          <TeamField value={fields} onChange={set} {...at("teamID", "team")} />
          <OwnerField value={fields.owner} onChange={set} {...at("owner")} />
        </div>
      </Section>
      <Facts id={source.id} of={source} facts={[{ term: "Dataset", is: source.data.dataset }]} />
    </div>
  );
}
