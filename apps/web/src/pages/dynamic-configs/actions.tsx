import { useNavigate, useSearch } from "@tanstack/react-router";
import { invalidate } from "../../api.ts";
import { EntitySteps } from "../../entity/entity-steps.tsx";
import { UseInCode } from "../../entity/use-in-code.tsx";
import { releaseLock } from "../../releases/locked.ts";
import { useRefusal } from "../../session/account.ts";
import { useEnvironmentNames } from "../../shell/environments.ts";
import { environmentsInWords } from "../../targeting/environments-touched.ts";
import { Switch } from "../../ui/field.tsx";
import { type ConfigDraft, setFields } from "./dynamic-config-draft.ts";

type Props = { draft: ConfigDraft; onChange: (draft: ConfigDraft) => void; hasDraft: boolean; disabledReason: string | undefined };

/** Actions on a dynamic config as a whole. */
export function DynamicConfigActions({ draft, onChange, hasDraft, disabledReason }: Props) {
  const { entity: config, etag: ifMatch } = draft.stored;
  const navigate = useNavigate({ from: "/projects/$projectID/dynamic-configs/$id" });
  const { environment } = useSearch({ from: "/projects/$projectID" });
  const all = useEnvironmentNames();
  const refusal = useRefusal();
  const path = { id: config.id };
  const editing = refusal("edit_or_delete_configs");
  const lock = releaseLock(config);
  const shared = { environments: environmentsInWords(all, all), disabledReason: editing };
  return (
    <>
      <UseInCode kind="dynamic_config" id={config.id} />
      <Switch
        isSelected={draft.fields.isEnabled}
        onChange={(isEnabled) => onChange(setFields(draft, { isEnabled }))}
        isDisabled={disabledReason !== undefined || refusal("launch_or_disable_configs") !== undefined}
      >
        {environment === undefined ? "Enabled" : "Enabled in all environments"}
      </Switch>
      <EntitySteps
        name={config.name}
        hasDraft={hasDraft}
        steps={[
          config.status === "Archived"
            ? {
                ...shared,
                id: "unarchive",
                label: "Unarchive",
                request: { operationId: "unarchiveDynamicConfig", path, body: {}, ifMatch },
                done: "is back",
              }
            : {
                ...shared,
                id: "archive",
                label: "Archive",
                request: { operationId: "archiveDynamicConfig", path, body: {}, ifMatch },
                canForce: true,
                done: "is archived",
                disabledReason: editing ?? lock,
              },
          {
            ...shared,
            id: "delete",
            label: "Delete",
            request: { operationId: "deleteDynamicConfig", path, ifMatch },
            canForce: true,
            done: "is deleted",
            isRestorable: true,
            isDangerous: true,
            disabledReason: editing ?? lock,
          },
        ]}
        onConflict={() => void invalidate("getDynamicConfig")}
        onDone={async ({ id }) => {
          if (id === "delete") await navigate({ to: "/projects/$projectID/dynamic-configs" });
          else await invalidate("getDynamicConfig");
          await invalidate("listDynamicConfigs", "listDynamicConfigVersions", "listChanges");
        }}
      />
    </>
  );
}
