import { keepPreviousData, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { call, invalidate, query } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { explain } from "../../explain.ts";
import { useRefusal } from "../../session/account.ts";
import { ActorName } from "../../shell/actor-name.tsx";
import { Confirm } from "../../shell/confirm.tsx";
import { EntityLink } from "../../shell/entity-link.tsx";
import { Page, Section } from "../../shell/page.tsx";
import { Pager } from "../../shell/pager.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Loading, Notice } from "../../ui/notice.tsx";
import { Progress } from "../../ui/progress.tsx";
import { Time } from "../../ui/time.tsx";
import { EvaluatedRows } from "./evaluated-rows.tsx";
import { type Evaluation, isFinished, rowsText, STATUSES, scoreText } from "./evaluation-words.ts";
import { EVALUATED_ROWS } from "./requests.ts";

const FROM = "/projects/$projectID/prompts/$id/evaluations/$evaluationID";
const REFRESH_MS = 1_000;

/** One evaluation: its progress, its scores and its rows. */
export default function EvaluationPage() {
  const { projectID, id, evaluationID } = useParams({ from: FROM });
  const { data: evaluation } = useSuspenseQuery({
    ...query("getPromptEvaluation", { path: { id, evaluationID } }),
    refetchInterval: ({ state }) => (state.data && isFinished(state.data.data) ? false : REFRESH_MS),
  }).data;
  const [isCanceling, setCanceling] = useState(false);
  const refusal = useRefusal()("edit_or_delete_configs");
  const status = STATUSES[evaluation.status];
  return (
    <Page
      title={`Evaluation of ${evaluation.versionName}`}
      above={
        <Link to="/projects/$projectID/prompts/$id" params={{ projectID, id }} search={{ tab: "evaluations" }}>
          Evaluations
        </Link>
      }
      beside={<Badge tone={status.tone}>{status.name}</Badge>}
      actions={
        <Button
          onPress={() => setCanceling(true)}
          disabledReason={refusal ?? (isFinished(evaluation) ? "The evaluation has finished." : undefined)}
        >
          Cancel evaluation
        </Button>
      }
    >
      {evaluation.message !== null && <Notice tone="bad">{evaluation.message}</Notice>}
      {!isFinished(evaluation) && (
        <Progress
          label="Rows evaluated"
          value={(evaluation.completedRows + evaluation.failedRows) / Math.max(1, evaluation.rows)}
          text={rowsText(evaluation)}
        />
      )}
      <EvaluationFacts of={evaluation} />
      <Rows key={evaluation.id} promptID={id} evaluation={evaluation} />
      {isCanceling && (
        <Confirm
          title="Cancel this evaluation?"
          label="Cancel evaluation"
          isDangerous
          done="Evaluation canceled"
          act={() => call("cancelPromptEvaluation", { path: { id, evaluationID } })}
          onSettled={() => invalidate("getPromptEvaluation", "listPromptEvaluations", "listPromptEvaluationRows")}
          onClose={() => setCanceling(false)}
        >
          <p>Rows that are scored keep their scores.</p>
        </Confirm>
      )}
    </Page>
  );
}

function EvaluationFacts({ of }: { of: Evaluation }) {
  const { datasetID, datasetName, datasetVersion, model, gradingModel, score, scores, creatorName, createdTime, finishedTime } = of;
  return (
    <dl className={entity.facts}>
      <dt>Score</dt>
      <dd>{scoreText(score)}</dd>
      <dt>Scores by grader</dt>
      <dd>
        {scores.map((one, index) => (
          <span key={one.grader}>
            {index > 0 && ", "}
            <bdi>{one.grader}</bdi> {scoreText(one.score)}
          </span>
        ))}
      </dd>
      <dt>Rows</dt>
      <dd>{rowsText(of)}</dd>
      <dt>Dataset</dt>
      <dd>
        <EntityLink type="prompt_dataset" id={datasetID} name={datasetName} />, version {datasetVersion}
      </dd>
      <dt>Model</dt>
      <dd>
        <bdi>{model}</bdi>
      </dd>
      {gradingModel !== null && (
        <>
          <dt>Grading model</dt>
          <dd>
            <bdi>{gradingModel}</bdi>
          </dd>
        </>
      )}
      <dt>Started</dt>
      <dd>
        <Time time={createdTime} /> by <ActorName id={null} name={creatorName} />
      </dd>
      {finishedTime !== null && (
        <>
          <dt>Finished</dt>
          <dd>
            <Time time={finishedTime} />
          </dd>
        </>
      )}
    </dl>
  );
}

function Rows({ promptID, evaluation }: { promptID: string; evaluation: Evaluation }) {
  const { page = 1 } = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const isRunning = !isFinished(evaluation);
  const { data, error, refetch } = useQuery({
    ...query("listPromptEvaluationRows", { path: { id: promptID, evaluationID: evaluation.id }, query: { limit: EVALUATED_ROWS, page } }),
    refetchInterval: isRunning ? REFRESH_MS : false,
    placeholderData: keepPreviousData,
  });
  // The last rows were scored after the last read.
  useEffect(() => {
    if (!isRunning) void refetch();
  }, [isRunning, refetch]);
  return (
    <Section title="Rows">
      {error && <Notice tone="bad">{explain(error)}</Notice>}
      {!data && !error && <Loading />}
      {data && <EvaluatedRows rows={data.data} graders={evaluation.graders.map(({ name }) => name)} />}
      {data && data.pagination.totalItems > EVALUATED_ROWS && (
        <Pager
          pagination={data.pagination}
          noun="rows"
          onPage={(chosen) => void navigate({ search: () => (chosen > 1 ? { page: chosen } : {}) })}
        />
      )}
    </Section>
  );
}
