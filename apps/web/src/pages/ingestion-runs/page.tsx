import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { query, type Schema } from "../../api.ts";
import { counted, exact } from "../../charts/format.ts";
import entity from "../../entity/entity.module.css";
import { countProgress, daysInWords, INGESTION_EDIT, isFinished, lastState, RUN_STATES } from "../../ingestion/ingestion-words.ts";
import { useRefusal } from "../../session/account.ts";
import { EntityLink } from "../../shell/entity-link.tsx";
import { Page, Section } from "../../shell/page.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Progress } from "../../ui/progress.tsx";
import { soonDialog } from "../../ui/soon.tsx";
import { Time } from "../../ui/time.tsx";
import { date as dateName } from "../../ui/time-text.ts";
import { RunTrigger } from "./trigger.tsx";

const FROM = "/projects/$projectID/ingestion-runs/$id";
const REFRESH_MS = 1_000;

const BackfillDialog = soonDialog(() => import("../../ingestion/backfill-dialog.tsx"));

/** The progress of a run by day and source. */
export default function IngestionRunPage() {
  const { projectID, id } = useParams({ from: FROM });
  const { data: answer } = useSuspenseQuery({
    ...query("getIngestionRun", { path: { id } }),
    refetchInterval: ({ state }) => (state.data && isFinished(state.data.data) ? false : REFRESH_MS),
  });
  const refusal = useRefusal()(INGESTION_EDIT);
  const [isBackfilling, setBackfilling] = useState(false);
  const run = answer.data;
  const state = RUN_STATES[run.latestStatus];
  const { done, all } = countProgress(run);
  return (
    <Page
      title={`Run of ${daysInWords(run)}`}
      above={
        <Link to="/projects/$projectID/ingestion-runs" params={{ projectID }}>
          Ingestion runs
        </Link>
      }
      beside={<Badge tone={state.tone}>{state.name}</Badge>}
      actions={
        <Button
          onPress={() => setBackfilling(true)}
          disabledReason={refusal ?? (isFinished(run) ? undefined : "The run hasn’t finished yet.")}
        >
          Backfill again
        </Button>
      }
    >
      <dl className={entity.facts}>
        <dt>Dataset</dt>
        <dd>{run.dataset}</dd>
        <dt>Started by</dt>
        <dd>
          <RunTrigger run={run} />
        </dd>
        <dt>Started</dt>
        <dd>
          <Time time={Date.parse(run.createdAt)} />
        </dd>
        <dt>Last news</dt>
        <dd>
          <Time time={Date.parse(run.lastUpdatedAt)} />
        </dd>
        <dt>ID</dt>
        <dd>
          <code>{run.runID}</code>
        </dd>
      </dl>
      {!isFinished(run) && (
        <Progress label="Copying" value={all === 0 ? 0 : done / all} text={`${exact(done)} of ${counted(all, "days")} of sources`} />
      )}
      {run.granularHistory.map((source) => (
        <RunSource key={source.source} source={source} />
      ))}
      {isBackfilling && (
        <Suspense>
          <BackfillDialog again={run} onClose={() => setBackfilling(false)} />
        </Suspense>
      )}
    </Page>
  );
}

function RunSource({ source: { source: name, latestSourceStatus, statusByDate } }: { source: Schema<"IngestionRunSource"> }) {
  const state = RUN_STATES[latestSourceStatus];
  return (
    <Section
      title={name}
      description={<EntityLink type="ingestion_source" id={name} name="Open the source" />}
      actions={<Badge tone={state.tone}>{state.name}</Badge>}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className={entity.scroll} tabIndex={0} aria-label={`Days of ${name}`}>
        <table className={entity.table} aria-label={`Days of ${name}`}>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">State</th>
              <th scope="col">In the warehouse</th>
              <th scope="col">Copied</th>
              <th scope="col">Refused</th>
              <th scope="col">Message</th>
            </tr>
          </thead>
          <tbody>
            {statusByDate.map((day) => {
              const status = lastState(day);
              const { name: stateName, tone } = RUN_STATES[status];
              // The counts of a day that did not succeed are meaningless.
              const formatCount = (count: number) => (status === "success" ? exact(count) : "–");
              return (
                <tr key={day.dateStamp}>
                  <th scope="row">{dateName(Date.parse(day.dateStamp), "utc")}</th>
                  <td>
                    <Badge tone={tone}>{stateName}</Badge>
                  </td>
                  <td>{formatCount(day.rowCount)}</td>
                  <td>{formatCount(day.copiedCount)}</td>
                  <td>{formatCount(day.refusedCount)}</td>
                  <td>
                    <bdi>{day.message}</bdi>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
    </Section>
  );
}
