import { useQuery } from "@tanstack/react-query";
import { invalidate, query } from "../../api.ts";
import { HistoryTab, MAX_VERSIONS } from "../../entity/history-tab.tsx";
import { useEnvironmentNames } from "../../shell/environments.ts";
import { describeChanges } from "../../targeting/changes.ts";
import { environmentsInWords } from "../../targeting/environments-touched.ts";
import { describeVersions, type StoredExperiment } from "./experiment-draft.ts";

type Props = { stored: StoredExperiment; disabledReason: string | undefined };

export default function ExperimentHistory({ stored: { entity, etag }, disabledReason }: Props) {
  const { id, name } = entity;
  const all = useEnvironmentNames();
  return (
    <HistoryTab
      read={useQuery(query("listExperimentVersions", { path: { id }, query: { limit: MAX_VERSIONS } }))}
      name={name}
      noun="experiment"
      // A restored version can also change a layer. The dry run's other changes come after the experiment's.
      inWords={(changes, before, after) => [
        ...describeVersions(before, after),
        ...describeChanges(
          changes.filter(({ entityType }) => entityType !== "experiment"),
          [],
        ),
      ]}
      restore={(version) => ({ operationId: "restoreExperimentVersion", path: { id, version }, ifMatch: etag })}
      environments={() => environmentsInWords(all, all)}
      disabledReason={disabledReason}
      onReadAgain={() => void invalidate("getExperiment", "listExperiments", "listExperimentVersions", "listChanges")}
    />
  );
}
