import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { type Changes, query, type Schema } from "../../api.ts";
import { mayChangeRollouts, type RolloutType, rolloutChanges } from "../../targeting/rollout-changes.ts";
import { listSteps } from "../../targeting/rollouts.ts";
import type { Rule } from "../../targeting/types.ts";
import { onDemand } from "../../ui/soon.tsx";

const RolloutSchedule = onDemand(() => import("../../charts/rollout-schedule.tsx"));

/** Maximum number of entities with charts. Each of them is read from the server. */
const MAX_ENTITIES = 10;

type Change = Changes[number];
type EntityID = Pick<Change, "entityType" | "entityID">;

const isSame = (one: EntityID, other: EntityID) => one.entityType === other.entityType && one.entityID === other.entityID;

/** The schedules of an entity's rollouts that a review adds or changes. */
export function Rollouts({ review, of }: { review: Schema<"Review">; of: EntityID }) {
  const changes = review.changes.filter(mayChangeRollouts);
  const index = changes.findIndex((one) => isSame(one, of));
  const change = changes[index];
  const version = review.entities.find((one) => isSame(one, of))?.version;
  if (change === undefined || version === undefined || index >= MAX_ENTITIES) return null;
  if (version === null) return <Charts rules={[]} fields={change.fields} isPaused={false} />;
  return <ChangedRollouts change={change} version={version} />;
}

/** A review has the changed fields alone, so the rules are those of the reviewed version. */
function ChangedRollouts({ change, version }: { change: Change & { entityType: RolloutType }; version: number }) {
  const read = { path: { id: change.entityID } };
  const isGate = change.entityType === "gate";
  const gate = useQuery({ ...query("getGate", read), enabled: isGate });
  const config = useQuery({ ...query("getDynamicConfig", read), enabled: !isGate });
  const entity = (isGate ? gate : config).data?.data;
  if (entity?.version !== version) return null;
  return <Charts rules={entity.rules} fields={change.fields} isPaused={"pausedBy" in entity} />;
}

function Charts({ rules, fields, isPaused }: { rules: readonly Rule[]; fields: Change["fields"]; isPaused: boolean }) {
  return rolloutChanges(rules, fields).map(({ before, after }) => (
    <Suspense key={after.id ?? after.name}>
      {before && listSteps(before).length > 0 && <Chart title={`Current rollout of ${before.name}`} rule={before} isPaused={isPaused} />}
      <Chart title={`Proposed rollout of ${after.name}`} rule={after} isPaused={isPaused} />
    </Suspense>
  ));
}

function Chart({ title, rule, isPaused }: { title: string; rule: Rule; isPaused: boolean }) {
  return (
    <RolloutSchedule
      title={title}
      passPercentage={rule.passPercentage}
      done={rule.completedAutomatedRollouts ?? []}
      pending={listSteps(rule)}
      now={Date.now()}
      isPaused={isPaused}
    />
  );
}
