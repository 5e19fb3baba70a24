import type { EntityStep } from "../../entity/entity-steps.tsx";
import type { StoredMetric } from "./metric-draft.ts";

/** Actions on a metric as a whole. @param refusal why the reader is not allowed to act */
export function metricSteps({ entity, etag }: StoredMetric, refusal: string | undefined): EntityStep[] {
  const { id, isHidden, isPermanent, archiveTime } = entity;
  const given = { path: { id }, ifMatch: etag };
  const keptReason = refusal ?? (isPermanent ? "This metric is permanent. Turn that off in Details first." : undefined);
  const archive: EntityStep = {
    id: "archive",
    label: "Archive tonight",
    request: { operationId: "scheduleMetricArchive", ...given },
    about: <p>Archived at midnight UTC: hidden from lists and no longer computed. Metrics in use can’t be archived.</p>,
    done: "is going to be archived",
    disabledReason: keptReason,
  };
  const keep: EntityStep = {
    id: "keep",
    label: "Cancel archiving",
    request: { operationId: "cancelMetricArchive", ...given },
    done: "stays in use",
    disabledReason: refusal,
  };
  const unarchive: EntityStep = {
    id: "unarchive",
    label: "Unarchive",
    request: { operationId: "unarchiveMetric", ...given },
    done: "is in use again",
    disabledReason: refusal,
  };
  return [
    isHidden ? unarchive : archiveTime === null ? archive : keep,
    {
      id: "delete",
      label: "Delete",
      request: { operationId: "deleteMetric", ...given },
      about: <p>Anything that uses this metric will stop showing results.</p>,
      canForce: true,
      done: "is deleted",
      isRestorable: true,
      disabledReason: keptReason,
      isDangerous: true,
    },
  ];
}
