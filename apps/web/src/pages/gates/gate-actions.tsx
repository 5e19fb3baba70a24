import { useNavigate } from "@tanstack/react-router";
import { MoreHorizontal } from "lucide-react";
import { useState } from "react";
import { type BatchRequest, invalidate } from "../../api.ts";
import { Review } from "../../saving/review.tsx";
import { useRefusal } from "../../session/account.ts";
import { useEnvironments } from "../../shell/environments.ts";
import { describeChanges } from "../../targeting/changes.ts";
import { environmentsInWords } from "../../targeting/environments-touched.ts";
import { IconButton } from "../../ui/button.tsx";
import { Switch } from "../../ui/field.tsx";
import { Menu } from "../../ui/menu.tsx";
import { toast } from "../../ui/toast.tsx";
import { type GateDraft, type Stored, setFields } from "./gate-draft.ts";

type Props = {
  stored: Stored;
  draft: GateDraft;
  onChange: (draft: GateDraft) => void;
  hasDraft: boolean;
  disabledReason: string | undefined;
};

const STEPS = {
  launch: { label: "Launch: everybody passes", operationId: "launchGate", done: "is launched" },
  archive: { label: "Archive", operationId: "archiveGate", done: "is archived" },
  unarchive: { label: "Unarchive", operationId: "unarchiveGate", done: "is back" },
  delete: { label: "Delete", operationId: "deleteGate", done: "is deleted" },
} as const;
type StepID = keyof typeof STEPS;

/** What is done with a gate as a whole. Each step is reviewed before it happens. */
export function GateActions({ stored, draft, onChange, hasDraft, disabledReason }: Props) {
  const { gate } = stored;
  const [step, setStep] = useState<StepID>();
  const refusal = useRefusal();
  const isArchived = gate.status === "Archived";
  const launching = refusal("launch_or_disable_configs");
  const open = hasDraft ? "Save or discard your changes first" : undefined;
  const action = (id: StepID, reason: string | undefined) => ({
    id,
    label: STEPS[id].label,
    onAction: () => setStep(id),
    disabledReason: reason ?? open,
    isDangerous: id === "delete",
  });
  const editing = refusal("edit_or_delete_configs");
  return (
    <>
      <Switch
        isSelected={draft.fields.isEnabled}
        onChange={(isEnabled) => onChange(setFields(draft, { isEnabled }))}
        isDisabled={disabledReason !== undefined || launching !== undefined}
      >
        Enabled
      </Switch>
      <Menu
        label={`More for ${gate.name}`}
        trigger={
          <IconButton label={`More for ${gate.name}`} look="default">
            <MoreHorizontal aria-hidden="true" />
          </IconButton>
        }
        actions={[
          action(
            "launch",
            launching ?? (isArchived ? "The gate is archived" : gate.status === "Launched" ? "It is launched already" : undefined),
          ),
          isArchived ? action("unarchive", editing) : action("archive", editing),
          action("delete", editing),
        ]}
      />
      {step !== undefined && <StepReview stored={stored} step={step} onClose={() => setStep(undefined)} />}
    </>
  );
}

function StepReview({ stored: { gate, etag }, step, onClose }: { stored: Stored; step: StepID; onClose: () => void }) {
  const navigate = useNavigate({ from: "/projects/$projectID/gates/$id" });
  const environments = useEnvironments().map(({ name }) => name);
  const { operationId, label, done } = STEPS[step];
  const request = {
    operationId,
    path: { id: gate.id },
    ifMatch: etag,
    ...(step !== "launch" && step !== "delete" && { body: {} }),
  } as BatchRequest;
  const saved = async () => {
    onClose();
    if (step === "delete") await navigate({ to: "/projects/$projectID/gates" });
    await invalidate("listGates", "listGateVersions", "listChanges", ...(step === "delete" ? [] : (["getGate"] as const)));
    toast({ text: `${gate.name} ${done}` });
  };
  return (
    <Review
      title={`${label.split(":")[0]} ${gate.name}?`}
      saveLabel={label.split(":")[0] ?? label}
      write={[request]}
      inWords={(changes) => describeChanges(changes, [])}
      environments={environmentsInWords(environments, environments)}
      onClose={onClose}
      onConflict={() => {
        onClose();
        void invalidate("getGate", "getGateOverrides");
      }}
      onSaved={() => void saved()}
    />
  );
}
