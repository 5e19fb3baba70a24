// How edits of a metric source are saved and described. Pure.
import { tableSourceDrafts } from "../../sources/table-source-draft.ts";

export const { toWriteRequests, describeDraft, describeVersions } = tableSourceDrafts({
  type: "metric_source",
  noun: "Metric source",
  operationId: "updateMetricSource",
});
