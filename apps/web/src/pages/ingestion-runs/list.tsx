import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { query } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { daysInWords, INGESTION_EDIT, isFinished, RUN_STATES, type Run } from "../../ingestion/ingestion-words.ts";
import { useRefusal } from "../../session/account.ts";
import { Page, Section } from "../../shell/page.tsx";
import { Pager } from "../../shell/pager.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Empty, Notice } from "../../ui/notice.tsx";
import { soonDialog } from "../../ui/soon.tsx";
import { Time } from "../../ui/time.tsx";
import { runListRequest } from "./list-search.ts";
import { Schedule } from "./schedule.tsx";
import { RunTrigger } from "./trigger.tsx";

const FROM = "/projects/$projectID/ingestion-runs";
/** While a run waits or copies, and when none does. */
const [REFRESH_MS, SLOW_REFRESH_MS] = [2_000, 30_000];
const SHOWN_SOURCES = 3;

const BackfillDialog = soonDialog(() => import("../../ingestion/backfill-dialog.tsx"));

/** The schedule of copies, and the results of each run. */
export default function IngestionRuns() {
  const search = useSearch({ from: FROM });
  const { projectID } = useParams({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const refusal = useRefusal()(INGESTION_EDIT);
  const [isBackfilling, setBackfilling] = useState(false);
  const { data: answer } = useSuspenseQuery({
    ...query("listIngestionRuns", runListRequest(search)),
    refetchInterval: ({ state }) => (state.data?.data.every(isFinished) ? SLOW_REFRESH_MS : REFRESH_MS),
  });
  const backfill = (
    <Button look="primary" onPress={() => setBackfilling(true)} disabledReason={refusal}>
      Backfill
    </Button>
  );
  return (
    <Page
      title="Ingestion runs"
      above={
        <Link to="/projects/$projectID/ingestion-sources" params={{ projectID }}>
          Ingestion sources
        </Link>
      }
      actions={backfill}
    >
      {refusal !== undefined && <Notice>{refusal}</Notice>}
      <Schedule />
      <Section title="Runs" description="Runs of the last 90 days, newest first. One runs at a time.">
        {answer.data.length === 0 ? (
          <Empty title="No runs yet" action={backfill}>
            Runs start daily for datasets with a source that’s copied daily. Start a backfill to copy older days.
          </Empty>
        ) : (
          <RunTable runs={answer.data} />
        )}
        <Pager pagination={answer.pagination} noun="runs" onPage={(page) => void navigate({ search: () => (page > 1 ? { page } : {}) })} />
      </Section>
      {isBackfilling && (
        <Suspense>
          <BackfillDialog onClose={() => setBackfilling(false)} />
        </Suspense>
      )}
    </Page>
  );
}

function RunTable({ runs }: { runs: readonly Run[] }) {
  const { projectID } = useParams({ from: FROM });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className={entity.scroll} tabIndex={0} aria-label="Runs table">
      <table className={entity.table} aria-label="Runs">
        <thead>
          <tr>
            <th scope="col">Days</th>
            <th scope="col">State</th>
            <th scope="col">Dataset</th>
            <th scope="col">Sources</th>
            <th scope="col">Started by</th>
            <th scope="col">When</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => {
            const state = RUN_STATES[run.latestStatus];
            return (
              <tr key={run.runID}>
                <th scope="row">
                  <Link to="/projects/$projectID/ingestion-runs/$id" params={{ projectID, id: run.runID }}>
                    {daysInWords(run)}
                  </Link>
                </th>
                <td>
                  <Badge tone={state.tone}>{state.name}</Badge>
                </td>
                <td>{run.dataset}</td>
                <td>
                  <Sources names={run.sources} />
                </td>
                <td>
                  <RunTrigger run={run} />
                </td>
                <td>
                  <Time time={Date.parse(run.createdAt)} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function Sources({ names }: { names: readonly string[] }) {
  const others = names.length - SHOWN_SOURCES;
  return (
    <>
      {names.slice(0, SHOWN_SOURCES).map((name, index) => (
        <span key={name}>
          {index > 0 && ", "}
          <bdi>{name}</bdi>
        </span>
      ))}
      {others > 0 && ` and ${others} more`}
    </>
  );
}
