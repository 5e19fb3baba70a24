import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Suspense, useMemo, useState } from "react";
import { currentProjectID, query } from "../../api.ts";
import { EntityPage } from "../../entity/entity-page.tsx";
import { ReadBy } from "../../entity/read-by.tsx";
import { PartBoundary } from "../../entity/tab-boundary.tsx";
import { UseInCode } from "../../entity/use-in-code.tsx";
import { UsedByTab } from "../../entity/used-by-tab.tsx";
import { kinds } from "../../kinds/kinds.ts";
import { useEnvironmentNames } from "../../shell/environments.ts";
import { describeChanges } from "../../targeting/changes.ts";
import { environmentsInWords } from "../../targeting/environments-touched.ts";
import { Badge } from "../../ui/badge.tsx";
import { onDemand, soon } from "../../ui/soon.tsx";
import { Time } from "../../ui/time.tsx";
import { checklist, whyNotStart } from "./checklist.ts";
import { describeDraft, experimentModel, faultsOfDraft, type StoredExperiment, toWriteRequests } from "./experiment-draft.ts";
import styles from "./experiments.module.css";
import { ExposuresTab } from "./exposures-tab.tsx";
import { ExperimentLifecycle } from "./lifecycle.tsx";
import { hasStarted, isRunning, STATUS_NAMES, STATUS_TONES, stateSentence } from "./states.ts";

const RecentExposures = onDemand(() => import("../../entity/recent-exposures.tsx"));
const HoldoutsNotice = onDemand(() => import("../../entity/holdouts-notice.tsx"));
const DetailsTab = soon(() => import("./details-tab.tsx"));
const ExperimentHistory = soon(() => import("./history-tab.tsx"));
const OverridesTab = soon(async () => ({ default: (await import("./overrides-tab.tsx")).OverridesTab }));
const ResultsTab = soon(() => import("./results-tab.tsx"));
const SetupTab = soon(() => import("./setup-tab.tsx"));

const FROM = "/projects/$projectID/experiments/$id";

export default function ExperimentPage() {
  const { id } = useParams({ from: FROM });
  // A draft belongs to one experiment: another one starts a new draft.
  return <ExperimentView key={`${currentProjectID()} ${id}`} id={id} />;
}

function ExperimentView({ id }: { id: string }) {
  const { projectID } = useParams({ from: FROM });
  const { data: answer } = useSuspenseQuery(query("getExperiment", { path: { id } }));
  const stored = useMemo((): StoredExperiment => ({ entity: answer.data, etag: answer.etag ?? "" }), [answer]);
  const { entity: experiment } = stored;
  // A start doesn't take its author away from the setup.
  const [usualTab] = useState((): "results" | "setup" => (hasStarted(experiment) ? "results" : "setup"));
  const all = useEnvironmentNames();
  return (
    <EntityPage
      noun="experiment"
      list={
        <Link to="/projects/$projectID/experiments" params={{ projectID }}>
          Experiments
        </Link>
      }
      stored={stored}
      model={experimentModel}
      beside={
        <>
          <Badge tone={STATUS_TONES[experiment.status]}>{STATUS_NAMES[experiment.status]}</Badge>
          <code>{experiment.id}</code>
        </>
      }
      lockedReason={experiment.status === "archived" ? "Unarchive the experiment to change it." : undefined}
      use={
        <PartBoundary>
          <Suspense>
            <RecentExposures type="experiments" id={id} />
          </Suspense>
        </PartBoundary>
      }
      notices={
        <>
          <section className={styles.banner} aria-label="State">
            <bdi>{stateSentence(experiment, Date.now())}</bdi>
            {experiment.scheduledStartTime !== null && (
              <span>
                Starts <Time time={experiment.scheduledStartTime} />
              </span>
            )}
            {experiment.decisionReason !== null && experiment.decisionReason !== "" && (
              <span>
                Reason: <bdi>{experiment.decisionReason}</bdi>
              </span>
            )}
          </section>
          <PartBoundary>
            <Suspense>
              <HoldoutsNotice ids={experiment.holdoutIDs} layerID={experiment.layerID} isHeldByGlobal effect="don’t take part" />
            </Suspense>
          </PartBoundary>
        </>
      }
      actions={({ draft, count }) => (
        <>
          <UseInCode kind="experiment" id={id} />
          <ExperimentLifecycle stored={stored} hasDraft={count > 0} whyNotStart={whyNotStart(checklist(draft.fields))} />
        </>
      )}
      findFaults={faultsOfDraft}
      write={toWriteRequests}
      inWords={(draft, changes) => [
        ...describeDraft(draft),
        ...describeChanges(
          changes.filter(({ entityType }) => entityType !== "experiment"),
          [],
        ),
      ]}
      {...(isRunning(experiment) && { environments: () => environmentsInWords(all, all) })}
      also={<ReadBy type="experiment" id={id} noun="experiment" />}
      reads={{ own: ["getExperiment"], others: ["listExperiments", "listExperimentVersions"] }}
      tabs={kinds.experiment.tabs}
      usualTab={usualTab}
      content={(tab, shared, restoreReason) => {
        switch (tab) {
          case "setup":
            return <SetupTab {...shared} />;
          case "overrides":
            return <OverridesTab experiment={experiment} disabledReason={shared.disabledReason} />;
          case "exposures":
            return <ExposuresTab experiment={experiment} />;
          case "results":
            return <ResultsTab experiment={experiment} />;
          case "history":
            return <ExperimentHistory stored={stored} disabledReason={restoreReason} />;
          case "used-by":
            return (
              <UsedByTab type="experiment" id={id} noun="experiment">
                Segments, holdouts, and param stores that use it are listed here.
              </UsedByTab>
            );
          case "details":
            return <DetailsTab {...shared} />;
        }
      }}
    />
  );
}
