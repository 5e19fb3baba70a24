import { type BatchRequest, invalidate } from "../../api.ts";
import { ReadBy } from "../../entity/read-by.tsx";
import { Review } from "../../saving/review.tsx";
import { useEnvironmentNames } from "../../shell/environments.ts";
import { environmentsInWords } from "../../targeting/environments-touched.ts";
import { toast } from "../../ui/toast.tsx";
import { removalWords } from "./id-changes.ts";
import type { Segment } from "./segment-draft.ts";
import type { ListType } from "./transfer.ts";

type Props = { segment: Segment; type: ListType; id: string; onClose: () => void };

/** The review of a removal of one ID. */
export function RemoveID({ segment, type, id, onClose }: Props) {
  const all = useEnvironmentNames();
  const readAgain = () => invalidate("getSegment", "getSegmentIDList", "listSegments", "listSegmentVersions", "listChanges");
  const operationId = type === "id_list" ? "removeSegmentIDs" : "removeSegmentUserStoreIDs";
  return (
    <Review
      title={`Remove ${id} from ${segment.name}?`}
      saveLabel="Remove"
      write={[{ operationId, path: { id: segment.id }, body: { ids: [id] } } as BatchRequest]}
      inWords={(changes) => removalWords(changes, segment.id, id)}
      environments={environmentsInWords(all, all)}
      onClose={onClose}
      onScheduled={onClose}
      onConflict={() => {
        onClose();
        void readAgain();
      }}
      onSaved={async () => {
        await readAgain();
        onClose();
        toast({ text: `${id} is removed from ${segment.name}` });
      }}
    >
      <ReadBy type="segment" id={segment.id} noun="segment" />
    </Review>
  );
}
