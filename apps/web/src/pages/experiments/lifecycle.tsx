import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { invalidate, query } from "../../api.ts";
import { type EntityStep, EntitySteps } from "../../entity/entity-steps.tsx";
import { useRefusal } from "../../session/account.ts";
import { useEnvironmentNames } from "../../shell/environments.ts";
import { environmentsInWords } from "../../targeting/environments-touched.ts";
import { DateField } from "../../ui/date-field.tsx";
import { Checkbox, TextField } from "../../ui/field.tsx";
import { Loading } from "../../ui/notice.tsx";
import { soon } from "../../ui/soon.tsx";
import type { StoredExperiment } from "./experiment-draft.ts";
import {
  describeArchive,
  describeDeletion,
  describeReset,
  describeShipping,
  describeStart,
  describeUnarchive,
  isTargeted,
  REMOVE_TARGETING,
  SHIP_TO_EVERYONE,
} from "./shipping-words.ts";
import type { Experiment } from "./states.ts";
import { ALERTS_READ, isDecisionEarly, NEXT_STEPS, STEP_STATUSES, usualWinner } from "./steps.ts";
import { useCopy } from "./use-copy.ts";
import { useScores } from "./use-scores.ts";

const CopyFields = soon(() => import("./copy-fields.tsx"));
const DecisionFields = soon(() => import("./decision-fields.tsx"));

type Props = {
  stored: StoredExperiment;
  hasDraft: boolean;
  /** The reason why a start would be useless, if it would be. */
  whyNotStart: string | undefined;
};

const NOT_NOW = "Not available in this status";

/** The groups with an open guardrail alert. */
function useAlarmedGroups({ id, status }: Experiment): ReadonlySet<string> {
  const { data } = useQuery({
    ...query("listExperimentAlerts", { path: { id }, query: { limit: ALERTS_READ } }),
    enabled: STEP_STATUSES.decide?.includes(status) === true,
  });
  return new Set((data?.data.alerts ?? []).filter(({ resolvedTime }) => resolvedTime === null).map(({ groupID }) => groupID));
}

/** Actions on an experiment as a whole, from its start to its decision. Each step is reviewed with its consequences. */
export function ExperimentLifecycle({ stored, hasDraft, whyNotStart }: Props) {
  const { entity: experiment, etag: ifMatch } = stored;
  const { id, name, status, groups, layerID, scheduledStartTime, statusBeforeArchive } = experiment;
  const navigate = useNavigate({ from: "/projects/$projectID/experiments/$id" });
  const all = useEnvironmentNames();
  const refusal = useRefusal();
  const alarmed = useAlarmedGroups(experiment);
  const [chosenGroup, setGroupID] = useState<string>();
  const groupID = chosenGroup ?? usualWinner(experiment, alarmed);
  const groupName = groups.find((group) => group.id === groupID)?.name ?? "a group";
  const isControlOffered = chosenGroup === undefined && alarmed.size > 0 && groupID === experiment.controlGroupID;
  const { scores } = useScores([experiment]);
  const [unconfirmed, setUnconfirmed] = useState<string>();
  const [reason, setReason] = useState("");
  const [removesTargeting, setRemovesTargeting] = useState(false);
  const [startsAt, setStartsAt] = useState("");
  const [copy, setCopy] = useCopy(stored);
  const path = { id };
  const environments = environmentsInWords(all, all);
  const shared = { environments };
  const possible = (step: string): string | undefined => (STEP_STATUSES[step]?.includes(status) === false ? NOT_NOW : undefined);
  const why = <TextField label="Reason" rows={3} value={reason} onChange={setReason} description="Visible in the experiment’s history." />;
  const targeting = (label: string) =>
    isTargeted(experiment) && (
      <Checkbox isSelected={removesTargeting} onChange={setRemovesTargeting}>
        {label}
      </Checkbox>
    );
  const steps: EntityStep[] = [
    {
      ...shared,
      id: "start",
      label: "Start",
      request: { operationId: "startExperiment", path, body: {}, ifMatch },
      done: "is running",
      disabledReason: refusal("start_experiments") ?? possible("start") ?? whyNotStart,
      about: <p>{describeStart(experiment)}</p>,
    },
    {
      id: "schedule",
      label: "Schedule start",
      question: `Schedule the start of ${name}?`,
      request: {
        operationId: "scheduleExperimentStart",
        path,
        body: { scheduledTime: startsAt === "" ? null : new Date(startsAt).getTime() },
        ifMatch,
      },
      done: startsAt === "" ? "has no scheduled start" : "starts at that time",
      disabledReason: refusal("start_experiments") ?? possible("schedule") ?? whyNotStart,
      about: (
        <DateField
          label="Start at"
          hasTime
          isOptional
          value={startsAt}
          onChange={setStartsAt}
          description={scheduledStartTime === null ? "In your time zone." : "In your time zone. Leave empty to remove the scheduled start."}
        />
      ),
    },
    {
      ...shared,
      id: "decide",
      label: "Ship a group",
      question: `End ${name} and ship a group?`,
      request: {
        operationId: "makeExperimentDecision",
        path,
        body: { id: groupID, decisionReason: reason, ...(removesTargeting && { removeTargeting: true }) },
        ifMatch,
      },
      done: "has ended",
      doneText: `${groupName} shipped`,
      saveLabel: `Ship ${groupName}`,
      unconfirmedReason: unconfirmed,
      disabledReason: refusal("launch_or_disable_configs") ?? possible("decide"),
      about: (
        <>
          {isControlOffered && (
            <p>
              <bdi>{groupName}</bdi> is suggested because every other group has an open guardrail alert.
            </p>
          )}
          <Suspense fallback={<Loading label="Loading results" />}>
            <DecisionFields experiment={experiment} groupID={groupID} onGroup={setGroupID} onUnconfirmed={setUnconfirmed} />
          </Suspense>
          {why}
          {targeting(layerID === null ? SHIP_TO_EVERYONE : REMOVE_TARGETING)}
          <p>{describeShipping(experiment, removesTargeting)}</p>
        </>
      ),
    },
    {
      ...shared,
      id: "stop-assignment",
      label: "Stop enrolling new users",
      question: `Stop enrolling new users in ${name}?`,
      request: { operationId: "patchExperiment", path, body: { status: "assignment_stopped" }, ifMatch },
      done: "no longer enrolls new users",
      disabledReason: refusal("launch_or_disable_configs") ?? possible("stop-assignment"),
      about: <p>New users no longer count in results. Enrolled users count until the end. Everyone keeps their values.</p>,
    },
    {
      ...shared,
      id: "abandon",
      label: "Abandon",
      request: {
        operationId: "abandonExperiment",
        path,
        body: { decisionReason: reason, ...(removesTargeting && { removeTargeting: true }) },
        ifMatch,
      },
      done: "is abandoned",
      disabledReason: refusal("launch_or_disable_configs") ?? possible("abandon"),
      isDangerous: true,
      about: (
        <>
          <p>The experiment ends without a winner. Everyone gets the values from before it.</p>
          {why}
          {targeting(REMOVE_TARGETING)}
        </>
      ),
    },
    {
      ...shared,
      id: "reset",
      label: "Reset to setup",
      question: `Reset ${name} to setup?`,
      request: { operationId: "resetExperiment", path, ifMatch },
      done: "is in setup",
      disabledReason: refusal("reset_experiments") ?? possible("reset"),
      isDangerous: true,
      about: <p>{describeReset(experiment)}</p>,
    },
    {
      id: "copy",
      label: "Copy to a new experiment",
      question: `Copy ${name} to a new experiment?`,
      request: { operationId: "restartExperimentAsNew", path, body: copy },
      done: "is copied",
      disabledReason: refusal("reset_experiments"),
      about: (
        <Suspense fallback={<Loading />}>
          <CopyFields copy={copy} onChange={setCopy} />
        </Suspense>
      ),
    },
    status === "archived"
      ? {
          id: "unarchive",
          label: "Unarchive",
          request: { operationId: "unarchiveExperiment", path, ifMatch },
          ...(statusBeforeArchive === "decision_made" && shared),
          about: <p>{describeUnarchive(experiment)}</p>,
          done: "is back",
          disabledReason: refusal("edit_or_delete_configs"),
        }
      : {
          id: "archive",
          label: "Archive",
          request: { operationId: "archiveExperiment", path, body: {}, ifMatch },
          ...((status === "decision_made" || status === "assignment_stopped") && shared),
          about: <p>{describeArchive(experiment)}</p>,
          done: "is archived",
          disabledReason: refusal("edit_or_delete_configs") ?? possible("archive"),
          canForce: true,
        },
    {
      ...shared,
      id: "delete",
      label: "Delete",
      request: { operationId: "deleteExperiment", path, ifMatch },
      done: "is deleted",
      isRestorable: true,
      about: <p>{describeDeletion(experiment)}</p>,
      disabledReason: refusal("edit_or_delete_configs"),
      canForce: true,
      isDangerous: true,
    },
  ];
  return (
    <EntitySteps
      name={name}
      steps={steps}
      partNames={Object.fromEntries(groups.map((group) => [group.id ?? "", group.name]))}
      next={NEXT_STEPS[status]}
      isNextDoubtful={alarmed.size > 0 || isDecisionEarly(experiment, scores.get(id) ?? [], Date.now())}
      hasDraft={hasDraft}
      onConflict={() => void invalidate("getExperiment")}
      onDone={async (step) => {
        if (step.id === "delete") await navigate({ to: "/projects/$projectID/experiments" });
        else await invalidate("getExperiment");
        await invalidate("listExperiments", "listExperimentVersions", "getExperimentCumulativeExposures", "listChanges");
      }}
    />
  );
}
