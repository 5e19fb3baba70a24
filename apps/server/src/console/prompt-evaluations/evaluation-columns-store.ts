import { Prisma } from "../../generated/prisma/client.ts";
import type { EvaluationRow, EvaluationSetup, EvaluationStatus, PromptEvaluation } from "./prompt-evaluation.ts";

export const EVALUATION_COLUMNS = Prisma.sql`id, "promptID", "versionID", status, message, setup, rows, "completedRows", "failedRows", sums,
  "creatorName", "createdTime", "startedTime", "finishedTime"`;

export type StoredEvaluation = Omit<PromptEvaluation, "status" | "setup" | "sums" | "createdTime" | "startedTime" | "finishedTime"> & {
  status: string;
  setup: string;
  sums: string;
  createdTime: bigint;
  startedTime: bigint | null;
  finishedTime: bigint | null;
};

const toTime = (time: bigint | null) => (time === null ? null : Number(time));

export function toEvaluation({ status, setup, sums, createdTime, startedTime, finishedTime, ...row }: StoredEvaluation): PromptEvaluation {
  return {
    ...row,
    status: status as EvaluationStatus,
    setup: JSON.parse(setup) as EvaluationSetup,
    sums: JSON.parse(sums),
    ...{ createdTime: Number(createdTime), startedTime: toTime(startedTime), finishedTime: toTime(finishedTime) },
  };
}

export const ROW_COLUMNS = Prisma.sql`row, input, expected, status, output, message, scores, "durationMs"`;

export type StoredRow = Omit<EvaluationRow, "input" | "status" | "scores"> & { input: string; status: string; scores: string };

export function toRow({ input, status, scores, ...row }: StoredRow): EvaluationRow {
  return { ...row, input: JSON.parse(input), status: status as EvaluationRow["status"], scores: JSON.parse(scores) };
}
