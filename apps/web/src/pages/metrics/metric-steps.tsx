import type { EntityStep } from "../../entity/entity-steps.tsx";
import type { StoredMetric } from "./metric-draft.ts";

/** Actions on a metric as a whole. @param refusal why the reader is not allowed to act */
export function metricSteps({ entity, etag }: StoredMetric, refusal: string | undefined): EntityStep[] {
  const { id, isHidden, isPermanent, archiveTime } = entity;
  const given = { path: { id }, ifMatch: etag };
  const keptReason = refusal ?? (isPermanent ? "The metric is permanent: switch that off in its details." : undefined);
  const archive: EntityStep = {
    id: "archive",
    label: "Archive tonight",
    request: { operationId: "scheduleMetricArchive", ...given },
    about: <p>From the next day in UTC on, lists omit it and nothing computes it. As long as something names it, it stays.</p>,
    done: "is going to be archived",
    disabledReason: keptReason,
  };
  const keep: EntityStep = {
    id: "keep",
    label: "Do not archive",
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
      about: <p>What still names it then names a metric that does not exist.</p>,
      canForce: true,
      done: "is deleted",
      isRestorable: true,
      disabledReason: keptReason,
      isDangerous: true,
    },
  ];
}
