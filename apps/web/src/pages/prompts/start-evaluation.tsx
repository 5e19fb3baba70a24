import { useState } from "react";
import { call, invalidate, ReviewRequiredError, type Schema } from "../../api.ts";
import { PromptDatasetChoice } from "../../entity/entity-choice.tsx";
import { violationsByPlace } from "../../explain.ts";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { equal } from "../../targeting/equal.ts";
import { Select } from "../../ui/choice.tsx";
import { toast } from "../../ui/toast.tsx";
import { useUnreadReason } from "../../ui/unread.ts";
import { ConnectEndpoint } from "./connect-endpoint.tsx";
import { type Grader, newGrader, toGrader } from "./graders.ts";
import { GradersField } from "./graders-field.tsx";

type Props = { prompt: Schema<"Prompt">; etag: string; onClose: () => void };

/** Starts an evaluation. The prompt keeps the dataset and the graders for the next one. */
export function StartEvaluation({ prompt, etag, onClose }: Props) {
  const { id, versions = [], evaluation = null, liveVersionID } = prompt;
  const [versionID, setVersionID] = useState(versions.at(-1)?.id ?? "");
  const [datasetID, setDatasetID] = useState(evaluation?.datasetID ?? null);
  const [graders, setGraders] = useState<readonly Grader[]>(evaluation?.graders ?? [newGrader([])]);
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const unread = useUnreadReason();
  const faults = violationsByPlace(error);
  const send = async () => {
    if (datasetID === null) return;
    setPending(true);
    setError(undefined);
    try {
      const setup = { datasetID, graders: graders.map(toGrader) };
      if (!equal(setup, evaluation)) await call("patchPrompt", { path: { id }, body: { evaluation: setup }, ifMatch: etag });
      const { data } = await call("startPromptEvaluation", { path: { id, versionID } });
      toast({ text: `Evaluation of ${data.name} started` });
      onClose();
    } catch (thrown) {
      // The review has the dataset and the graders.
      if (thrown instanceof ReviewRequiredError) return onClose();
      setError(thrown);
      setPending(false);
    } finally {
      void invalidate("getPrompt", "listPrompts", "listPromptVersions", "listPromptEvaluations", "listChanges");
    }
  };
  return (
    <FormDialog
      title="Evaluate a version"
      label="Start evaluation"
      width="wide"
      isPending={isPending}
      disabledReason={unread ?? (datasetID === null ? "Choose a dataset first." : undefined)}
      error={error}
      onSubmit={send}
      onClose={onClose}
    >
      <ConnectEndpoint reason={error instanceof Error ? error.message : ""} onClick={onClose} />
      <Select
        label="Version"
        options={versions.toReversed().map((one) => ({ id: one.id, label: one.name, ...(one.id === liveVersionID && { hint: "Live" }) }))}
        value={versionID}
        onChange={setVersionID}
      />
      <PromptDatasetChoice
        label="Dataset"
        value={datasetID}
        onChange={setDatasetID}
        placeholder="Search prompt datasets"
        error={faults.get("evaluation.datasetID")}
      />
      <GradersField graders={graders} onChange={setGraders} faultAt={(property) => faults.get(`evaluation.${property}`)} />
      <p>Each row sends one request to the model endpoint, plus one for each grader that uses a model.</p>
    </FormDialog>
  );
}
