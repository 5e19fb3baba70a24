import { useNavigate } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { invalidate } from "../../api.ts";
import { type EntityStep, EntitySteps } from "../../entity/entity-steps.tsx";
import { useRefusal } from "../../session/account.ts";
import { useEnvironments } from "../../shell/environments.ts";
import { environmentsInWords } from "../../targeting/environments-touched.ts";
import { DateField } from "../../ui/date-field.tsx";
import { Checkbox, TextField } from "../../ui/field.tsx";
import { Loading } from "../../ui/notice.tsx";
import { soon } from "../../ui/soon.tsx";
import type { StoredExperiment } from "./experiment-draft.ts";
import { NEXT_STEPS, STEP_STATUSES } from "./steps.ts";

const DecisionFields = soon(() => import("./decision-fields.tsx"));

type Props = {
  stored: StoredExperiment;
  hasDraft: boolean;
  /** The reason why a start would be useless, if it would be. */
  whyNotStart: string | undefined;
};

const NOT_NOW = "Not possible in this status";

/** Actions on an experiment as a whole, from its start to its decision. Each step is reviewed with its consequences. */
export function ExperimentLifecycle({ stored, hasDraft, whyNotStart }: Props) {
  const { entity: experiment, etag: ifMatch } = stored;
  const { id, name, status, groups, layerID, controlGroupID, scheduledStartTime } = experiment;
  const navigate = useNavigate({ from: "/projects/$projectID/experiments/$id" });
  const all = useEnvironments().map((environment) => environment.name);
  const refusal = useRefusal();
  const [groupID, setGroupID] = useState(groups.find((group) => group.id !== controlGroupID)?.id ?? "");
  const [unconfirmed, setUnconfirmed] = useState<string>();
  const [reason, setReason] = useState("");
  const [removesTargeting, setRemovesTargeting] = useState(false);
  const [startsAt, setStartsAt] = useState("");
  const [copyName, setCopyName] = useState(`${name} again`);
  const path = { id };
  const environments = environmentsInWords(all, all);
  const shared = { environments };
  const possible = (step: string): string | undefined => (STEP_STATUSES[step]?.includes(status) === false ? NOT_NOW : undefined);
  const why = <TextField label="Reason" rows={3} value={reason} onChange={setReason} description="It stays with the experiment." />;
  const targeting = (
    <Checkbox isSelected={removesTargeting} onChange={setRemovesTargeting}>
      Remove the targeting, so that a later start reaches everybody
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
      about: <p>From now on, units are divided among the groups. The groups then keep their number and sizes until the end.</p>,
    },
    {
      id: "schedule",
      label: "Schedule the start",
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
          description={scheduledStartTime === null ? "In your time zone." : "In your time zone. Empty means: do not start by itself."}
        />
      ),
    },
    {
      ...shared,
      id: "decide",
      label: "Make the decision",
      request: {
        operationId: "makeExperimentDecision",
        path,
        body: { id: groupID, decisionReason: reason, ...(removesTargeting && { removeTargeting: true }) },
        ifMatch,
      },
      done: "is decided",
      unconfirmedReason: unconfirmed,
      disabledReason: refusal("launch_or_disable_configs") ?? possible("decide"),
      about: (
        <>
          <Suspense fallback={<Loading label="Reading what ships" />}>
            <DecisionFields experiment={experiment} groupID={groupID} onGroup={setGroupID} onUnconfirmed={setUnconfirmed} />
          </Suspense>
          {why}
          {targeting}
          <p>
            {layerID === null
              ? "Everybody then gets the values of this group, and the experiment ends."
              : `The values of this group become the defaults of the layer ${layerID}, so everybody gets them. The experiment ends and frees its part of the layer.`}
          </p>
        </>
      ),
    },
    {
      ...shared,
      id: "stop-assignment",
      label: "Let no further units enter",
      request: { operationId: "patchExperiment", path, body: { status: "assignment_stopped" }, ifMatch },
      done: "lets no further units enter",
      disabledReason: refusal("launch_or_disable_configs") ?? possible("stop-assignment"),
      about: <p>No new users count in results. Users who already count go on counting until the end. Nobody gets other values.</p>,
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
          <p>It ends, and no group ships: everybody gets what they would get without it.</p>
          {why}
          {targeting}
        </>
      ),
    },
    {
      ...shared,
      id: "reset",
      label: "Reset to set-up",
      request: { operationId: "resetExperiment", path, ifMatch },
      done: "is in set-up",
      disabledReason: refusal("reset_experiments") ?? possible("reset"),
      isDangerous: true,
      about: <p>Its times, its decision, its exposures and its alerts begin anew. The next start divides units differently.</p>,
    },
    {
      id: "copy",
      label: "Copy into a new experiment",
      request: { operationId: "restartExperimentAsNew", path, body: { name: copyName } },
      done: "is copied",
      disabledReason: refusal("reset_experiments"),
      about: (
        <>
          <TextField label="Name of the new experiment" value={copyName} onChange={setCopyName} />
          <p>The new experiment is in set-up, with the same groups and targeting. This one stays as it is.</p>
        </>
      ),
    },
    status === "archived"
      ? {
          id: "unarchive",
          label: "Unarchive",
          request: { operationId: "unarchiveExperiment", path, ifMatch },
          done: "is back",
          disabledReason: refusal("edit_or_delete_configs"),
        }
      : {
          id: "archive",
          label: "Archive",
          request: { operationId: "archiveExperiment", path, body: {}, ifMatch },
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
      disabledReason: refusal("edit_or_delete_configs"),
      canForce: true,
      isDangerous: true,
    },
  ];
  return (
    <EntitySteps
      name={name}
      steps={steps}
      next={NEXT_STEPS[status]}
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
