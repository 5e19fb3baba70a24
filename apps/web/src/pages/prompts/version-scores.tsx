import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { query, type Schema } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { Section } from "../../shell/page.tsx";
import { Select } from "../../ui/choice.tsx";
import { Time } from "../../ui/time.tsx";
import { datasetsOf, rowsText, scoresByVersion, scoreText } from "./evaluation-words.ts";

/** Maximum number of evaluations that are read for the scores of versions. */
const READ = 100;

type Props = { prompt: Schema<"Prompt"> /** Whether an evaluation has not finished. */; isRunning: boolean };

/** The scores of each version by grader, over one dataset. */
export function VersionScores({ prompt, isRunning }: Props) {
  const { projectID } = useParams({ from: "/projects/$projectID" });
  const [chosen, setChosen] = useState<string>();
  const { data, refetch } = useQuery(
    query("listPromptEvaluations", { path: { id: prompt.id }, query: { limit: READ, status: "COMPLETED" } }),
  );
  useEffect(() => {
    if (!isRunning) void refetch();
  }, [isRunning, refetch]);
  const completed = data?.data ?? [];
  const datasets = datasetsOf(completed);
  const dataset = datasets.find(({ id }) => id === (chosen ?? prompt.evaluation?.datasetID)) ?? datasets[0];
  if (dataset === undefined) return null;
  const { graders, versions } = scoresByVersion((prompt.versions ?? []).toReversed(), completed, dataset.id);
  return (
    <Section title="Scores by version" description="The latest completed evaluation of each version.">
      <div className={entity.row}>
        <Select label="Scores on dataset" options={datasets} value={dataset.id} onChange={setChosen} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className={entity.scroll} tabIndex={0} aria-label="Table of scores">
        <table className={entity.table} aria-label="Scores by version">
          <thead>
            <tr>
              <th scope="col">Version</th>
              <th scope="col">All graders</th>
              {graders.map((name) => (
                <th key={name} scope="col">
                  <bdi>{name}</bdi>
                </th>
              ))}
              <th scope="col">Rows</th>
              <th scope="col">Evaluated</th>
            </tr>
          </thead>
          <tbody>
            {versions.map(({ version, evaluation }) => (
              <tr key={version.id}>
                <th scope="row">
                  <Link
                    to="/projects/$projectID/prompts/$id/evaluations/$evaluationID"
                    params={{ projectID, id: prompt.id, evaluationID: evaluation.id }}
                  >
                    <bdi>{version.name}</bdi>
                  </Link>
                </th>
                <td>{scoreText(evaluation.score)}</td>
                {graders.map((name) => (
                  <td key={name}>{scoreText(evaluation.scores.find(({ grader }) => grader === name)?.score)}</td>
                ))}
                <td>{rowsText(evaluation)}</td>
                <td>
                  <Time time={evaluation.finishedTime ?? evaluation.createdTime} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Section>
  );
}
