import { useQuery } from "@tanstack/react-query";
import { invalidate, query } from "../../api.ts";
import { HistoryTab, MAX_VERSIONS } from "../../entity/history-tab.tsx";
import { useEnvironmentNames } from "../../shell/environments.ts";
import { describeChanges } from "../../targeting/changes.ts";
import { environmentsInWords, environmentsTouched } from "../../targeting/environments-touched.ts";
import type { KnownNames } from "../../targeting/field-words.ts";
import type { StoredGate } from "./gate-draft.ts";

export default function GateHistory({
  stored: { entity: gate, etag },
  disabledReason,
  names,
}: {
  stored: StoredGate;
  disabledReason: string | undefined;
  names: KnownNames;
}) {
  const { id, name } = gate;
  const all = useEnvironmentNames();
  return (
    <HistoryTab
      read={useQuery(query("listGateVersions", { path: { id }, query: { limit: MAX_VERSIONS } }))}
      name={name}
      noun="gate"
      inWords={(changes, before, after) => describeChanges(changes, [{ type: "gate", id, before, after }], names, all)}
      restore={(version) => ({ operationId: "restoreGateVersion", path: { id, version }, ifMatch: etag })}
      environments={(before, after) => environmentsInWords(environmentsTouched({ flag: before }, { flag: after }, all), all)}
      disabledReason={disabledReason}
      onReadAgain={() => void invalidate("getGate", "listGates", "listGateVersions", "listChanges")}
    />
  );
}
