import { DetailFields } from "../../entity/detail-fields.tsx";
import { Facts } from "../../entity/facts.tsx";
import { HoldoutNames } from "../../entity/holdout-names.tsx";
import { setFields } from "../../saving/draft-model.ts";
import { EntityLink } from "../../shell/entity-link.tsx";
import { Time } from "../../ui/time.tsx";
import type { TabProps } from "./tab-props.ts";

export default function DetailsTab({ draft, onChange, ...shared }: TabProps) {
  const { fields, stored } = draft;
  const { entity } = stored;
  const set = (changed: Partial<typeof fields>) => onChange(setFields(draft, changed));
  const time = (given: number | null) => (given === null ? "Not yet" : <Time time={given} />);
  return (
    <DetailFields {...shared} fields={fields} set={set}>
      <Facts
        id={entity.id}
        of={entity}
        facts={[
          { term: "Unit ID type", is: <bdi>{entity.idType}</bdi> },
          {
            term: "Layer",
            is: entity.layerID === null ? "None (not in a layer)" : <EntityLink type="layer" id={entity.layerID} name={entity.layerID} />,
          },
          { term: "Started", is: time(entity.startTime) },
          { term: "Ended", is: time(entity.endTime) },
          { term: "Decided", is: time(entity.decisionTime) },
          ...(entity.decisionReason === null ? [] : [{ term: "Because", is: <bdi>{entity.decisionReason}</bdi> }]),
          { term: "Holdouts", is: <HoldoutNames ids={entity.holdoutIDs} none="None" /> },
          { term: "Target apps", is: <bdi>{entity.targetApps.join(", ") || "All"}</bdi> },
        ]}
      />
    </DetailFields>
  );
}
