import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { invalidate } from "../../api.ts";
import { type EntityStep, EntitySteps } from "../../entity/entity-steps.tsx";
import { useEventSeen } from "../../entity/event-field.tsx";
import { useRefusal } from "../../session/account.ts";
import { Select } from "../../ui/choice.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { autotuneModel, type StoredAutotune } from "./autotune-draft.ts";
import { checklist, listRisks, whyNotStart } from "./checklist.ts";
import { autotuneState, isExploring, type State } from "./states.ts";

type Props = { stored: StoredAutotune; hasDraft: boolean; environments: string };

const NEXT: Partial<Record<State, string>> = { waiting: "start", running: "decide" };

/** Actions on an autotune as a whole, from its start to its decision. Each step is reviewed with its consequences. */
export function AutotuneLifecycle({ stored, hasDraft, environments }: Props) {
  const { entity: autotune, etag: ifMatch } = stored;
  const { id, name = id, variants, progress } = autotune;
  const navigate = useNavigate({ from: "/projects/$projectID/autotunes/$id" });
  const refusal = useRefusal();
  const leading = [...(progress?.variants ?? [])].sort((one, other) => (other.probabilityOfBest ?? 0) - (one.probabilityOfBest ?? 0))[0];
  const [variantID, setVariantID] = useState(leading?.id ?? variants[0]?.id ?? "");
  const [reason, setReason] = useState("");
  const path = { id };
  const state = autotuneState(autotune);
  const checks = checklist(autotuneModel.storedParts(stored), useEventSeen(autotune.successEvent));
  const only = (...states: State[]) => (states.includes(state) ? undefined : "Not available in this status");
  const steps: EntityStep[] = [
    {
      id: "start",
      label: "Start",
      request: { operationId: "startAutotune", path, ifMatch },
      done: "is running",
      environments,
      disabledReason: refusal("start_experiments") ?? only("waiting") ?? whyNotStart(checks),
      about: (
        <>
          {listRisks(checks).map((risk) => (
            <Notice key={risk} tone="warn">
              <bdi>{risk}</bdi>
            </Notice>
          ))}
          <p>Users are split equally among the variants at first. You can’t change the variants until you reset the autotune.</p>
        </>
      ),
    },
    {
      id: "decide",
      label: "Choose a winner",
      question: `Choose a winner for ${name}?`,
      request: { operationId: "makeAutotuneDecision", path, body: { id: variantID, decisionReason: reason }, ifMatch },
      done: "is decided",
      environments,
      disabledReason: refusal("launch_or_disable_configs") ?? only("running"),
      about: (
        <>
          <Select
            label="Winning variant"
            options={variants.map((variant) => ({ id: variant.id, label: variant.name }))}
            value={variantID}
            onChange={setVariantID}
          />
          <TextField label="Reason" rows={3} value={reason} onChange={setReason} description="Visible in the autotune’s history." />
          <p>Everyone gets this variant, and the autotune ends.</p>
        </>
      ),
    },
    {
      id: "reset",
      label: "Reset",
      request: { operationId: "resetAutotune", path, ifMatch },
      done: "is reset",
      environments,
      disabledReason: refusal("reset_experiments") ?? only("running", "decided"),
      isDangerous: true,
      about: <p>Deletes the progress and the decision. Everyone gets the first variant until you start it again.</p>,
    },
    {
      id: "delete",
      label: "Delete",
      request: { operationId: "deleteAutotune", path, ifMatch },
      done: "is deleted",
      environments,
      isRestorable: true,
      disabledReason: refusal("edit_or_delete_configs"),
      isDangerous: true,
      about: <p>Applications no longer get a value for it, and its progress is deleted.</p>,
    },
  ];
  return (
    <EntitySteps
      name={name}
      steps={steps}
      next={NEXT[state]}
      isNextDoubtful={state === "running" && isExploring(autotune, Date.now())}
      hasDraft={hasDraft}
      onConflict={() => void invalidate("getAutotune")}
      onDone={async (step) => {
        if (step.id === "delete") await navigate({ to: "/projects/$projectID/autotunes" });
        else await invalidate("getAutotune");
        await invalidate("listAutotunes", "listAutotuneVersions", "listChanges");
      }}
    />
  );
}
