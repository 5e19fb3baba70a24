import { useNavigate, useSearch } from "@tanstack/react-router";
import { invalidate } from "../../api.ts";
import { EntitySteps } from "../../entity/entity-steps.tsx";
import { UseInCode } from "../../entity/use-in-code.tsx";
import { releaseLock } from "../../releases/locked.ts";
import { useRefusal } from "../../session/account.ts";
import { useEnvironmentNames } from "../../shell/environments.ts";
import { environmentsInWords } from "../../targeting/environments-touched.ts";
import { Switch } from "../../ui/field.tsx";
import { type GateDraft, type StoredGate, setFields } from "./gate-draft.ts";

type Props = {
  stored: StoredGate;
  draft: GateDraft;
  onChange: (draft: GateDraft) => void;
  hasDraft: boolean;
  disabledReason: string | undefined;
};

/** Actions on a gate as a whole. Each step is reviewed before it happens. */
export function GateActions({ stored: { entity: gate, etag: ifMatch }, draft, onChange, hasDraft, disabledReason }: Props) {
  const navigate = useNavigate({ from: "/projects/$projectID/gates/$id" });
  const { environment } = useSearch({ from: "/projects/$projectID" });
  const all = useEnvironmentNames();
  const refusal = useRefusal();
  const isArchived = gate.status === "Archived";
  const launching = refusal("launch_or_disable_configs");
  const editing = refusal("edit_or_delete_configs");
  const shared = { environments: environmentsInWords(all, all), disabledReason: editing };
  const lock = releaseLock(gate);
  const path = { id: gate.id };
  return (
    <>
      <UseInCode kind="gate" id={gate.id} />
      <Switch
        isSelected={draft.fields.isEnabled}
        onChange={(isEnabled) => onChange(setFields(draft, { isEnabled }))}
        isDisabled={disabledReason !== undefined || launching !== undefined}
      >
        {environment === undefined ? "Enabled" : "Enabled in all environments"}
      </Switch>
      <EntitySteps
        name={gate.name}
        hasDraft={hasDraft}
        steps={[
          {
            ...shared,
            id: gate.isEnabled ? "disable" : "enable",
            label: `${gate.isEnabled ? "Disable" : "Enable"}${environment === undefined ? "" : " in all environments"}`,
            request: { operationId: gate.isEnabled ? "disableGate" : "enableGate", path, ifMatch },
            done: gate.isEnabled ? "is disabled" : "is enabled",
            disabledReason: launching ?? (isArchived ? "The gate is archived" : undefined),
          },
          {
            ...shared,
            id: "launch",
            label: "Launch: on for everyone",
            request: { operationId: "launchGate", path, ifMatch },
            done: "is launched",
            disabledReason:
              launching ?? lock ?? (isArchived ? "The gate is archived" : gate.status === "Launched" ? "Already launched" : undefined),
          },
          isArchived
            ? {
                ...shared,
                id: "unarchive",
                label: "Unarchive",
                request: { operationId: "unarchiveGate", path, body: {}, ifMatch },
                done: "is back",
              }
            : {
                ...shared,
                id: "archive",
                label: "Archive",
                canForce: true,
                request: { operationId: "archiveGate", path, body: {}, ifMatch },
                done: "is archived",
                disabledReason: editing ?? lock,
              },
          {
            ...shared,
            id: "delete",
            label: "Delete",
            canForce: true,
            request: { operationId: "deleteGate", path, ifMatch },
            done: "is deleted",
            isRestorable: true,
            isDangerous: true,
            disabledReason: editing ?? lock,
          },
        ]}
        onConflict={() => void invalidate("getGate", "getGateOverrides")}
        onDone={async ({ id }) => {
          if (id === "delete") await navigate({ to: "/projects/$projectID/gates" });
          await invalidate("listGates", "listGateVersions", "listChanges", ...(id === "delete" ? [] : (["getGate"] as const)));
        }}
      />
    </>
  );
}
