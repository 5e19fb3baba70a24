import { DetailFields } from "../../entity/detail-fields.tsx";
import { Facts } from "../../entity/facts.tsx";
import { releaseLock } from "../../releases/locked.ts";
import { PipelineField } from "../../releases/pipeline-field.tsx";
import { formatNumber } from "../../ui/number-text.ts";
import { setFields } from "./dynamic-config-draft.ts";
import type { TabProps } from "./tab-props.ts";

export default function DetailsTab({ draft, onChange, ...shared }: TabProps) {
  const { fields, stored } = draft;
  const { entity } = stored;
  const set = (changed: Parameters<typeof setFields>[1]) => onChange(setFields(draft, changed));
  return (
    <DetailFields
      {...shared}
      fields={fields}
      set={set}
      further={
        <PipelineField
          value={fields.releasePipelineID}
          onChange={set}
          disabledReason={shared.disabledReason ?? releaseLock(entity)}
          error={shared.faults.find(({ property }) => property === "releasePipelineID")?.message}
        />
      }
    >
      <Facts
        id={entity.id}
        of={entity}
        facts={[
          { term: "Unit ID type", is: <bdi>{entity.idType}</bdi> },
          { term: "Reads in the last hour", is: formatNumber(entity.checksPerHour) },
          { term: "Target apps", is: <bdi>{entity.targetApps.join(", ") || "All"}</bdi> },
        ]}
      />
    </DetailFields>
  );
}
