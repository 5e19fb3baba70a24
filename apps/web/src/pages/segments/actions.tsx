import { useNavigate } from "@tanstack/react-router";
import { invalidate } from "../../api.ts";
import { EntitySteps } from "../../entity/entity-steps.tsx";
import { useRefusal } from "../../session/account.ts";
import { useEnvironmentNames } from "../../shell/environments.ts";
import { environmentsInWords } from "../../targeting/environments-touched.ts";
import type { StoredSegment } from "./segment-draft.ts";

/** Actions on a segment as a whole. */
export function SegmentActions({ stored: { entity, etag: ifMatch }, hasDraft }: { stored: StoredSegment; hasDraft: boolean }) {
  const navigate = useNavigate({ from: "/projects/$projectID/segments/$id" });
  const all = useEnvironmentNames();
  const path = { id: entity.id };
  const shared = { environments: environmentsInWords(all, all), disabledReason: useRefusal()("edit_or_delete_configs") };
  return (
    <EntitySteps
      name={entity.name}
      hasDraft={hasDraft}
      steps={[
        entity.isEnabled
          ? {
              ...shared,
              id: "archive",
              label: "Archive",
              request: { operationId: "archiveSegment", path, body: {}, ifMatch },
              about: <p>Archived segments match no users. The rules and IDs are kept.</p>,
              canForce: true,
              done: "is archived",
            }
          : {
              ...shared,
              id: "unarchive",
              label: "Unarchive",
              request: { operationId: "unarchiveSegment", path, body: {}, ifMatch },
              done: "is back",
            },
        {
          ...shared,
          id: "delete",
          label: "Delete",
          request: { operationId: "deleteSegment", path, ifMatch },
          about: <p>Its IDs are deleted with it and can’t be restored.</p>,
          canForce: true,
          done: "is deleted",
          isRestorable: true,
          isDangerous: true,
        },
      ]}
      onConflict={() => void invalidate("getSegment")}
      onDone={async ({ id }) => {
        if (id === "delete") await navigate({ to: "/projects/$projectID/segments" });
        else await invalidate("getSegment");
        await invalidate("listSegments", "listSegmentVersions", "listChanges");
      }}
    />
  );
}
