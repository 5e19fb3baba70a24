// Evaluations of a prompt in words. Pure.
import type { Schema } from "../../api.ts";
import { exact, percentage } from "../../charts/format.ts";
import type { Tone } from "../../ui/badge.tsx";

export type Evaluation = Schema<"PromptEvaluation">;
type Version = Pick<Schema<"PromptVersion">, "id" | "name">;

export const STATUSES: Record<Evaluation["status"], { name: string; tone: Tone }> = {
  QUEUED: { name: "Queued", tone: "off" },
  RUNNING: { name: "Running", tone: "active" },
  COMPLETED: { name: "Completed", tone: "good" },
  FAILED: { name: "Failed", tone: "bad" },
  CANCELED: { name: "Canceled", tone: "plain" },
};

export const isFinished = ({ status }: Pick<Evaluation, "status">): boolean => status !== "QUEUED" && status !== "RUNNING";

/** A score of 0 to 1 as a percentage. An en dash without one. */
export const scoreText = (score: number | null | undefined): string => (score == null ? "–" : percentage(score * 100));

/** The number of rows that were asked, of all rows. */
export function rowsText({ rows, completedRows, failedRows }: Pick<Evaluation, "rows" | "completedRows" | "failedRows">): string {
  const failed = failedRows === 0 ? "" : `, ${exact(failedRows)} failed`;
  return `${exact(completedRows + failedRows)} of ${exact(rows)}${failed}`;
}

/** The scores of versions over one dataset: the columns, and the newest evaluation of each version. */
export type VersionScores = { graders: string[]; versions: { version: Version; evaluation: Evaluation }[] };

/**
 * @param versions that the prompt has, in the order of the rows
 * @param completed evaluations of the prompt, newest first
 */
export function scoresByVersion(versions: readonly Version[], completed: readonly Evaluation[], datasetID: string): VersionScores {
  const ofDataset = completed.filter((evaluation) => evaluation.datasetID === datasetID);
  const scored = versions.flatMap((version) => {
    const evaluation = ofDataset.find(({ versionID }) => versionID === version.id);
    return evaluation === undefined ? [] : [{ version, evaluation }];
  });
  return { graders: [...new Set(scored.flatMap(({ evaluation }) => evaluation.graders.map(({ name }) => name)))], versions: scored };
}

/** The datasets of evaluations, each with the name that it had last. */
export function datasetsOf(evaluations: readonly Evaluation[]): { id: string; label: string }[] {
  const names = new Map<string, string>();
  for (const { datasetID, datasetName } of evaluations) if (!names.has(datasetID)) names.set(datasetID, datasetName);
  return [...names].map(([id, label]) => ({ id, label }));
}
