import { DetailFields } from "../../entity/detail-fields.tsx";
import type { EditProps } from "../../entity/entity-page.tsx";
import { Facts } from "../../entity/facts.tsx";
import { type SegmentDraft, setFields } from "./segment-draft.ts";

/** A segment's name and purpose. */
export default function DetailsTab({ draft, onChange, ...shared }: EditProps<SegmentDraft>) {
  const { entity: segment } = draft.stored;
  return (
    <DetailFields {...shared} fields={draft.fields} set={(fields) => onChange(setFields(draft, fields))}>
      <Facts
        id={segment.id}
        of={segment}
        facts={[
          { term: "Unit ID type", is: <bdi>{segment.idType}</bdi> },
          { term: "Target apps", is: <bdi>{segment.targetApps.join(", ") || "All"}</bdi> },
        ]}
      />
    </DetailFields>
  );
}
