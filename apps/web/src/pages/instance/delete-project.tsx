import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { currentProjectID, instanceQuery, invalidate } from "../../api.ts";
import { explain } from "../../explain.ts";
import { Review } from "../../saving/review.tsx";
import { text } from "../../targeting/parts.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Checkbox, TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { toast } from "../../ui/toast.tsx";

const CONSEQUENCES = [
  "Its keys and members lose access within half a second.",
  "Its gates, configs, experiments, and events are permanently deleted.",
  "The server’s audit log keeps its history.",
];

/** Deletes a project once its name is typed, since this is the most final action of the console. */
export function DeleteProject({ id, onClose }: { id: string; onClose: () => void }) {
  const { data: answer, error, isFetchedAfterMount } = useQuery(instanceQuery("getProjectByID", { path: { id } }));
  const [typed, setTyped] = useState("");
  const [isForced, setForced] = useState(false);
  const navigate = useNavigate();
  if (error)
    return (
      <Dialog title="Delete project?" isOpen onClose={onClose}>
        <Notice tone="bad">{explain(error)}</Notice>
      </Dialog>
    );
  if (!answer || !isFetchedAfterMount) return null;
  const { name } = answer.data;
  const deleted = async () => {
    toast({ text: `${name} is deleted` });
    // The page of a deleted project cannot be read.
    if (id === currentProjectID()) {
      await invalidate("getSession");
      await navigate({ to: "/" });
    } else {
      onClose();
      await invalidate("getSession", "listProjects");
    }
  };
  return (
    <Review
      key={answer.etag}
      title={`Delete project ${name}?`}
      saveLabel="Delete"
      isTargeting={false}
      write={[
        {
          operationId: "deleteProject",
          path: { id },
          ...(isForced && { query: { force: true } }),
          ...(answer.etag !== undefined && { ifMatch: answer.etag }),
        },
      ]}
      inWords={() => [
        {
          entityType: "project",
          entityID: id,
          title: [],
          changes: CONSEQUENCES.map((line) => ({ kind: "removed" as const, field: "", parts: [text(line)] })),
        },
      ]}
      disabledReason={typed.trim() === name ? undefined : "Enter the project name first."}
      choices={
        <>
          <Checkbox isSelected={isForced} onChange={setForced}>
            Delete even if a key was used in the last 24 hours
          </Checkbox>
          <TextField label={`Type ${name} to confirm`} value={typed} onChange={setTyped} autoComplete="off" />
        </>
      }
      onClose={onClose}
      onConflict={() => void invalidate("getProjectByID")}
      onSaved={() => void deleted()}
    />
  );
}
