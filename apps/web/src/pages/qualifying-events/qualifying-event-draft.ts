// How edits of a qualifying event are saved and described. Pure.
import { tableSourceDrafts } from "../../sources/table-source-draft.ts";

export const { toWriteRequests, describeDraft, describeVersions } = tableSourceDrafts({
  type: "qualifying_event",
  noun: "Qualifying event",
  operationId: "updateQualifyingEvent",
});
