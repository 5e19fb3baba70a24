import { useQuery } from "@tanstack/react-query";
import { invalidate, query } from "../../api.ts";
import { HistoryTab, MAX_VERSIONS } from "../../entity/history-tab.tsx";
import { describeVersions, type StoredLayer } from "./layer-draft.ts";

type Props = { stored: StoredLayer; disabledReason: string | undefined; environments: string };

export default function LayerHistory({ stored: { entity, etag }, disabledReason, environments }: Props) {
  return (
    <HistoryTab
      read={useQuery(query("listLayerVersions", { path: { id: entity.id }, query: { limit: MAX_VERSIONS } }))}
      name={entity.name}
      noun="layer"
      inWords={(_, before, after) => describeVersions(before, after)}
      restore={(version) => ({ operationId: "restoreLayerVersion", path: { id: entity.id, version }, ifMatch: etag })}
      environments={() => environments}
      disabledReason={disabledReason}
      onReadAgain={() => void invalidate("getLayer", "listLayers", "listLayerVersions", "listChanges")}
    />
  );
}
