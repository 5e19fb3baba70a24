import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { invalidate } from "../../api.ts";
import { type EntityStep, EntitySteps } from "../../entity/entity-steps.tsx";
import { useRefusal } from "../../session/account.ts";
import { Select } from "../../ui/choice.tsx";
import { TextField } from "../../ui/field.tsx";
import type { StoredAutotune } from "./autotune-draft.ts";
import { autotuneState, type State } from "./states.ts";

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
  const only = (...states: State[]) => (states.includes(state) ? undefined : "Not possible in this status");
  const steps: EntityStep[] = [
    {
      id: "start",
      label: "Start",
      request: { operationId: "startAutotune", path, ifMatch },
      done: "is running",
      environments,
      disabledReason: refusal("start_experiments") ?? only("waiting"),
      about: <p>From now on, units are divided among the variants, at first equally. The variants then stay as they are until a reset.</p>,
    },
    {
      id: "decide",
      label: "Make the decision",
      request: { operationId: "makeAutotuneDecision", path, body: { id: variantID, decisionReason: reason }, ifMatch },
      done: "is decided",
      environments,
      disabledReason: refusal("launch_or_disable_configs") ?? only("running"),
      about: (
        <>
          <Select
            label="Variant that wins"
            options={variants.map((variant) => ({ id: variant.id, label: variant.name }))}
            value={variantID}
            onChange={setVariantID}
          />
          <TextField label="Reason" rows={3} value={reason} onChange={setReason} description="It stays with the autotune." />
          <p>Everybody then gets this variant, and the autotune ends.</p>
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
      about: (
        <p>It forgets what it has learned and its decision. Everybody gets the first variant, until the next start divides units anew.</p>
      ),
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
      about: <p>Applications get no value for it any more, and what it has learned is gone.</p>,
    },
  ];
  return (
    <EntitySteps
      name={name}
      steps={steps}
      next={NEXT[state]}
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
