import type { Schema } from "@gatehouse/contract/console";
import { toMetricName } from "../common/named.ts";
import type { Guardable, GuardedType } from "./guardable.ts";

export type OpenGuardrailAlert = Schema<"OpenGuardrailAlert">;

/** A stored alert. `finding` is the JSON text of the check that raised it. */
export type OpenAlertRow = {
  id: string;
  subjectType: GuardedType;
  subjectID: string;
  partID: string;
  metricID: string;
  raisedTime: bigint;
  finding: string;
};

/** An alert with the names of its entity, group or rule, and metric. */
export function toOpenAlert(row: OpenAlertRow, entity: Guardable[GuardedType]): OpenGuardrailAlert {
  const { id, subjectType, subjectID, partID, metricID, raisedTime, finding } = row;
  const { maxHarmPercent, percentChange, percentInterval }: Schema<"GuardrailNumbers"> = JSON.parse(finding);
  const metric = toMetricName(metricID);
  return {
    ...{ id, entityType: subjectType, entityID: subjectID, entityName: entity.name },
    ...{ partID, partName: nameOfPart(entity, partID) },
    ...{ metricID, metricName: metric.name, metricType: metric.type, maxHarmPercent },
    ...(percentChange !== undefined && { percentChange }),
    ...(percentInterval !== undefined && { percentInterval }),
    raisedTime: Number(raisedTime),
  };
}

/** The name of a group or rule. Null if it was removed. */
function nameOfPart(entity: Guardable[GuardedType], partID: string): string | null {
  if ("groups" in entity) return entity.groups.find(({ id }) => id === partID)?.name ?? null;
  return entity.rules.find(({ id, baseID }) => id === partID || baseID === partID)?.name ?? null;
}
