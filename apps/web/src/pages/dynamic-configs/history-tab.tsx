import { useQuery } from "@tanstack/react-query";
import { invalidate, query } from "../../api.ts";
import { HistoryTab, MAX_VERSIONS } from "../../entity/history-tab.tsx";
import { useEnvironmentNames } from "../../shell/environments.ts";
import { describeChanges } from "../../targeting/changes.ts";
import { environmentsInWords, environmentsTouched } from "../../targeting/environments-touched.ts";
import type { KnownNames } from "../../targeting/field-words.ts";
import type { StoredConfig } from "./dynamic-config-draft.ts";

type Props = { stored: StoredConfig; disabledReason: string | undefined; names: KnownNames };

export default function DynamicConfigHistory({ stored: { entity, etag }, disabledReason, names }: Props) {
  const { id, name } = entity;
  const all = useEnvironmentNames();
  return (
    <HistoryTab
      read={useQuery(query("listDynamicConfigVersions", { path: { id }, query: { limit: MAX_VERSIONS } }))}
      name={name}
      noun="dynamic config"
      inWords={(changes, before, after) => describeChanges(changes, [{ type: "dynamic_config", id, before, after }], names, all)}
      restore={(version) => ({ operationId: "restoreDynamicConfigVersion", path: { id, version }, ifMatch: etag })}
      environments={(before, after) => environmentsInWords(environmentsTouched({ flag: before }, { flag: after }, all), all)}
      disabledReason={disabledReason}
      onReadAgain={() => void invalidate("getDynamicConfig", "listDynamicConfigs", "listDynamicConfigVersions", "listChanges")}
    />
  );
}
