import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { currentProjectID, invalidate, query } from "../../api.ts";
import { faultsWith } from "../../entity/faults.ts";
import { useEntityTabs } from "../../entity/use-entity-tabs.ts";
import { ReadBy, UsedByTab } from "../../entity/used-by-tab.tsx";
import { Review } from "../../saving/review.tsx";
import { Saving } from "../../saving/saving.tsx";
import { useDraft } from "../../saving/use-draft.ts";
import { useRefusal } from "../../session/account.ts";
import { useEnvironments } from "../../shell/environments.ts";
import { Page } from "../../shell/page.tsx";
import { describeChanges } from "../../targeting/changes.ts";
import { environmentsInWords } from "../../targeting/environments-touched.ts";
import { Badge } from "../../ui/badge.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import { checklist, whyNotStart } from "./checklist.ts";
import { DetailsTab } from "./details-tab.tsx";
import { describeDraft, experimentModel, faultsOfDraft, type StoredExperiment, writeOf } from "./experiment-draft.ts";
import styles from "./experiments.module.css";
import { ExposuresTab } from "./exposures-tab.tsx";
import { ExperimentHistory } from "./history.tsx";
import { ExperimentLifecycle } from "./lifecycle.tsx";
import { OverridesTab } from "./overrides-tab.tsx";
import type { Tab } from "./page-search.ts";
import { SetupTab } from "./setup-tab.tsx";
import { isRunning, STATUS_NAMES, STATUS_TONES, stateSentence } from "./states.ts";

const FROM = "/projects/$projectID/experiments/$id";

const TABS: Record<Tab, string> = {
  setup: "Set-up",
  overrides: "Overrides",
  exposures: "Exposures",
  history: "History",
  "used-by": "Used by",
  details: "Details",
};

export default function ExperimentPage() {
  const { id } = useParams({ from: FROM });
  // A draft belongs to one experiment: another one begins anew.
  return <ExperimentOf key={`${currentProjectID()} ${id}`} id={id} />;
}

function ExperimentOf({ id }: { id: string }) {
  const { projectID } = useParams({ from: FROM });
  const { tab = "setup" } = useSearch({ from: FROM });
  const { data: answer } = useSuspenseQuery(query("getExperiment", { path: { id } }));
  const stored = useMemo((): StoredExperiment => ({ entity: answer.data, etag: answer.etag ?? "" }), [answer]);
  const { entity: experiment } = stored;
  const drafting = useDraft(experimentModel, stored);
  const { draft, edit, count, refused } = drafting;
  const open = useEntityTabs(TABS, "setup", drafting);
  const all = useEnvironments().map(({ name }) => name);
  const refusal = useRefusal()("edit_or_delete_configs");
  const isArchived = experiment.status === "archived";
  const disabledReason = refusal ?? (isArchived ? "The experiment is archived. Unarchive it to change it." : undefined);
  const ours = useMemo(() => faultsOfDraft(draft), [draft]);
  const shared = { draft, onChange: edit, disabledReason, faults: faultsWith(ours, refused) };
  const saved = async () => {
    await readAgain();
    await invalidate("listExperiments", "listExperimentVersions", "listChanges", "listReferences");
    toast({ text: `${draft.fields.name} is saved`, action: { label: "See the history", onPress: () => open("history") } });
  };
  return (
    <Page
      title={experiment.name}
      above={
        <Link to="/projects/$projectID/experiments" params={{ projectID }}>
          Experiments
        </Link>
      }
      beside={
        <>
          <Badge tone={STATUS_TONES[experiment.status]}>{STATUS_NAMES[experiment.status]}</Badge>
          <code>{experiment.id}</code>
        </>
      }
      actions={<ExperimentLifecycle stored={stored} hasDraft={count > 0} whyNotStart={whyNotStart(checklist(draft.fields))} />}
    >
      {refusal !== undefined && <Notice>{refusal}</Notice>}
      <section className={styles.banner} aria-label="State">
        <bdi>{stateSentence(experiment, Date.now())}</bdi>
        {experiment.scheduledStartTime !== null && (
          <span>
            Starts <Time time={experiment.scheduledStartTime} />
          </span>
        )}
        {experiment.decisionReason !== null && experiment.decisionReason !== "" && <bdi>{experiment.decisionReason}</bdi>}
      </section>
      {experiment.holdoutIDs.length > 0 && <Notice>Held out of it are units of {experiment.holdoutIDs.join(", ")}.</Notice>}
      <Tabs
        label="Parts of the experiment"
        selected={tab}
        onSelect={open}
        tabs={[
          { id: "setup", label: TABS.setup, content: () => <SetupTab {...shared} /> },
          {
            id: "overrides",
            label: TABS.overrides,
            content: () => <OverridesTab experiment={experiment} disabledReason={disabledReason} />,
          },
          { id: "exposures", label: TABS.exposures, content: () => <ExposuresTab experiment={experiment} /> },
          {
            id: "history",
            label: TABS.history,
            content: () => (
              <ExperimentHistory
                stored={stored}
                disabledReason={disabledReason ?? (count > 0 ? "Save or discard your changes first." : undefined)}
              />
            ),
          },
          {
            id: "used-by",
            label: TABS["used-by"],
            content: () => (
              <UsedByTab type="experiment" id={id} noun="experiment">
                Segments, holdouts and param stores that name it would be listed here.
              </UsedByTab>
            ),
          },
          { id: "details", label: TABS.details, content: () => <DetailsTab {...shared} /> },
        ]}
      />
      <Saving
        model={experimentModel}
        drafting={drafting}
        stored={stored}
        last={experiment}
        versionOf={({ entity }) => entity.version}
        disabledReason={ours.some(({ level }) => level === "error") ? "Complete what is marked first." : undefined}
        review={(edits, handlers) => (
          <Review
            title={`Review the changes of ${experiment.name}`}
            write={writeOf(edits)}
            inWords={(changes) => [
              ...describeDraft(edits),
              ...describeChanges(
                changes.filter(({ entityType }) => entityType !== "experiment"),
                [],
              ),
            ]}
            {...(isRunning(experiment) ? { environments: environmentsInWords(all, all) } : { isTargeting: false })}
            {...handlers}
          >
            <ReadBy type="experiment" id={id} noun="experiment" />
          </Review>
        )}
        onReadAgain={readAgain}
        onSaved={() => void saved()}
      />
    </Page>
  );
}

const readAgain = () => invalidate("getExperiment");
