import { useQuery } from "@tanstack/react-query";
import { type BatchRequest, invalidate, query, type Schema } from "../../api.ts";
import { GroupOverrides, type NewOverride } from "../../entity/group-overrides.tsx";
import { explain } from "../../explain.ts";
import { Loading, Notice } from "../../ui/notice.tsx";
import { layerExperimentsRequest } from "./requests.ts";

type Lists = Pick<Schema<"LayerOverrides">, "conditionalOverrides" | "idOverrides">;

const NONE: Lists = { conditionalOverrides: [], idOverrides: [] };

/** Units that get a group of one of the layer's experiments. */
export function LayerOverrides({ layer, disabledReason }: { layer: Schema<"Layer">; disabledReason: string | undefined }) {
  const { id, name, idType } = layer;
  const path = { id };
  const overrides = useQuery(query("getLayerOverrides", { path }));
  const experiments = useQuery(query("listLayerExperiments", layerExperimentsRequest(id)));
  const error = overrides.error ?? experiments.error;
  if (error) return <Notice tone="bad">{explain(error)}</Notice>;
  if (!overrides.data || !experiments.data) return <Loading />;
  const { data: lists, etag: ifMatch = "" } = overrides.data;
  const { data: known } = experiments.data;
  const findName = (experiment: string | null | undefined) =>
    known.find((one) => one.id === experiment)?.name ?? experiment ?? "Any experiment";
  const remove = (body: Lists): BatchRequest => ({ operationId: "removeLayerOverrides", path, body, ifMatch });
  const groups = known
    .filter(({ status }) => status !== "archived")
    .flatMap((one) => one.groups.map((group) => ({ id: JSON.stringify([one.id, group.name]), label: `${one.name}: ${group.name}` })));
  return (
    <GroupOverrides
      name={name}
      idType={idType}
      groups={groups}
      hasPlaceOfConditions={false}
      disabledReason={disabledReason}
      rows={[
        ...lists.idOverrides.map((entry) => ({
          who: { kind: "ids" as const, ids: entry.ids, unit: entry.idType ?? idType },
          group: `${findName(entry.experimentName)}: ${entry.groupName}`,
          environment: entry.environment ?? null,
          remove: remove({ ...NONE, idOverrides: [entry] }),
        })),
        ...lists.conditionalOverrides.map((entry) => ({
          who: { kind: entry.type, id: entry.name },
          group: `${findName(entry.experimentName)}: ${entry.groupName}`,
          environment: null,
          remove: remove({ ...NONE, conditionalOverrides: [entry] }),
        })),
      ]}
      add={(override) => ({ operationId: "patchLayerOverrides", path, body: { op: "add", ...toLists(override) }, ifMatch })}
      onReadAgain={() => invalidate("getLayerOverrides", "listChanges", "listReferences")}
    />
  );
}

function toLists({ who, group, environment }: NewOverride): Lists {
  const [experimentName = "", groupName = ""] = JSON.parse(group) as string[];
  if (who.kind === "ids") return { ...NONE, idOverrides: [{ experimentName, groupName, ids: who.ids, idType: who.unit, environment }] };
  return { ...NONE, conditionalOverrides: [{ type: who.kind, name: who.id, experimentName, groupName }] };
}
