import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { FlaskConical } from "lucide-react";
import { useState } from "react";
import { query, type Schema } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { explain } from "../../explain.ts";
import { ActorName } from "../../shell/actor-name.tsx";
import { Section } from "../../shell/page.tsx";
import { Pager } from "../../shell/pager.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Empty, Loading, Notice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { type Evaluation, isFinished, rowsText, STATUSES, scoreText } from "./evaluation-words.ts";
import { StartEvaluation } from "./start-evaluation.tsx";
import { VersionScores } from "./version-scores.tsx";

const SHOWN = 20;
const REFRESH_MS = 1_000;

type Props = { prompt: Schema<"Prompt">; etag: string; disabledReason: string | undefined };

/** The evaluations of a prompt, and the scores of its versions. */
export default function EvaluationsTab({ prompt, etag, disabledReason }: Props) {
  const [page, setPage] = useState(1);
  const [isStarting, setStarting] = useState(false);
  const { data, error } = useQuery({
    ...query("listPromptEvaluations", { path: { id: prompt.id }, query: { limit: SHOWN, page } }),
    refetchInterval: ({ state }) => (state.data?.data.every(isFinished) ? false : REFRESH_MS),
    placeholderData: keepPreviousData,
  });
  const hasVersions = (prompt.versions ?? []).length > 0;
  const start = (
    <Button onPress={() => setStarting(true)} disabledReason={disabledReason ?? (hasVersions ? undefined : "Add a version first.")}>
      <FlaskConical aria-hidden="true" />
      Evaluate version
    </Button>
  );
  if (error && !data) return <Notice tone="bad">{explain(error)}</Notice>;
  if (!data) return <Loading />;
  return (
    <>
      {data.pagination.totalItems > 0 && <VersionScores prompt={prompt} isRunning={!data.data.every(isFinished)} />}
      <Section title="Evaluations" description="Newest first. They’re kept for a year." actions={data.pagination.totalItems > 0 && start}>
        {error && <Notice tone="bad">{explain(error)}</Notice>}
        {data.pagination.totalItems === 0 ? (
          <Empty title="No evaluations yet" action={start}>
            An evaluation runs a version on each row of a dataset. Graders score the outputs.
          </Empty>
        ) : (
          <EvaluationTable promptID={prompt.id} evaluations={data.data} />
        )}
        {data.pagination.totalItems > SHOWN && <Pager pagination={data.pagination} noun="evaluations" onPage={setPage} />}
      </Section>
      {isStarting && <StartEvaluation prompt={prompt} etag={etag} onClose={() => setStarting(false)} />}
    </>
  );
}

function EvaluationTable({ promptID, evaluations }: { promptID: string; evaluations: readonly Evaluation[] }) {
  const { projectID } = useParams({ from: "/projects/$projectID" });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className={entity.scroll} tabIndex={0} aria-label="Table of evaluations">
      <table className={entity.table} aria-label="Evaluations">
        <thead>
          <tr>
            <th scope="col">Version</th>
            <th scope="col">Status</th>
            <th scope="col">Rows</th>
            <th scope="col">Score</th>
            <th scope="col">Dataset</th>
            <th scope="col">Started</th>
          </tr>
        </thead>
        <tbody>
          {evaluations.map((one) => (
            <tr key={one.id}>
              <th scope="row">
                <Link
                  to="/projects/$projectID/prompts/$id/evaluations/$evaluationID"
                  params={{ projectID, id: promptID, evaluationID: one.id }}
                >
                  <bdi>{one.versionName}</bdi>
                </Link>
              </th>
              <td>
                <Badge tone={STATUSES[one.status].tone}>{STATUSES[one.status].name}</Badge>
              </td>
              <td>{rowsText(one)}</td>
              <td>{scoreText(one.score)}</td>
              <td>
                <bdi>{one.datasetName}</bdi>
              </td>
              <td>
                <Time time={one.createdTime} /> by <ActorName id={null} name={one.creatorName} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
