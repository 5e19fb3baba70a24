import { useQuery } from "@tanstack/react-query";
import { type BatchRequest, invalidate, query, type Schema } from "../../api.ts";
import { GroupOverrides, type NewOverride } from "../../entity/group-overrides.tsx";
import { explain } from "../../explain.ts";
import { Loading, Notice } from "../../ui/notice.tsx";
import type { Experiment } from "./states.ts";

type Lists = Pick<Schema<"ExperimentOverrides">, "overrides" | "userIDOverrides">;

const NONE: Lists = { overrides: [], userIDOverrides: [] };

/** Units that get a group of the experiment. */
export function OverridesTab({ experiment, disabledReason }: { experiment: Experiment; disabledReason: string | undefined }) {
  const { id, name, idType, groups } = experiment;
  const path = { id };
  const { data: answer, error } = useQuery(query("getExperimentOverrides", { path }));
  if (error) return <Notice tone="bad">{explain(error)}</Notice>;
  if (!answer) return <Loading />;
  const { data: lists, etag: ifMatch = "" } = answer;
  const groupName = (groupID: string) => groups.find((group) => group.id === groupID)?.name ?? groupID;
  const remove = (body: Lists): BatchRequest => ({ operationId: "removeExperimentOverrides", path, body, ifMatch });
  return (
    <GroupOverrides
      name={name}
      idType={idType}
      groups={groups.map((group) => ({ id: group.id ?? group.name, label: group.name }))}
      hasPlaceOfConditions
      disabledReason={disabledReason}
      rows={[
        ...lists.userIDOverrides.map((entry) => ({
          who: { kind: "ids" as const, ids: entry.ids, unit: entry.unitType ?? idType },
          group: groupName(entry.groupID),
          environment: entry.environment ?? null,
          remove: remove({ ...NONE, userIDOverrides: [entry] }),
        })),
        ...lists.overrides.map((entry) => ({
          who: { kind: entry.type, id: entry.id },
          group: groupName(entry.groupID),
          environment: entry.environment ?? null,
          remove: remove({ ...NONE, overrides: [entry] }),
        })),
      ]}
      add={(override) => ({ operationId: "addExperimentOverrides", path, body: toLists(override), ifMatch })}
      onReadAgain={() => invalidate("getExperimentOverrides", "listChanges", "listReferences")}
    />
  );
}

function toLists({ who, group: groupID, environment }: NewOverride): Lists {
  if (who.kind === "ids") return { ...NONE, userIDOverrides: [{ groupID, ids: who.ids, unitType: who.unit, environment }] };
  return { ...NONE, overrides: [{ type: who.kind, id: who.id, groupID, environment }] };
}
