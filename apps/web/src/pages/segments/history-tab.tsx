import { useQuery } from "@tanstack/react-query";
import { invalidate, query } from "../../api.ts";
import { HistoryTab, MAX_VERSIONS } from "../../entity/history-tab.tsx";
import { useEnvironmentNames } from "../../shell/environments.ts";
import { describeChanges } from "../../targeting/changes.ts";
import { environmentsInWords, environmentsTouched } from "../../targeting/environments-touched.ts";
import { idChanges, unseenChange } from "./id-changes.ts";
import { type StoredSegment, toTargeting } from "./segment-draft.ts";
import { isIDList } from "./states.ts";

type Props = { stored: StoredSegment; disabledReason: string | undefined };

export default function SegmentHistory({ stored: { entity, etag }, disabledReason }: Props) {
  const { id, name } = entity;
  const all = useEnvironmentNames();
  return (
    <HistoryTab
      read={useQuery(query("listSegmentVersions", { path: { id }, query: { limit: MAX_VERSIONS } }))}
      name={name}
      noun="segment"
      inWords={(changes, before, after) => describeChanges(changes, [{ type: "segment", id, before, after }], undefined, all)}
      lasting={idChanges}
      lastingReason={isIDList(entity.type) ? "IDs can’t be restored." : undefined}
      unchanged={unseenChange(entity)}
      restore={(version) => ({ operationId: "restoreSegmentVersion", path: { id, version }, ifMatch: etag })}
      environments={(before, after) => environmentsInWords(environmentsTouched(toTargeting(before), toTargeting(after), all), all)}
      disabledReason={disabledReason}
      onReadAgain={() => void invalidate("getSegment", "listSegments", "listSegmentVersions", "listChanges")}
    />
  );
}
