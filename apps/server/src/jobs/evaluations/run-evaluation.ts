import pLimit from "p-limit";
import { joinSignals } from "../../common/signals.ts";
import { storableText } from "../../common/storable-text.ts";
import { openModels } from "../../console/model-endpoint/model-endpoint-store.ts";
import {
  type ClaimedEvaluation,
  finishEvaluation,
  listPending,
  type RowOutcome,
  releaseEvaluation,
  renewLease,
  saveRow,
} from "../../console/prompt-evaluations/evaluation-queue-store.ts";
import { afterRow, type EvaluationRow, type Progress } from "../../console/prompt-evaluations/prompt-evaluation.ts";
import { RenderingFailure, renderMessages } from "../../console/prompts/render.ts";
import { ModelFailure } from "../../models/model-failure.ts";
import type { SchemaChecker } from "../../schema-checks/schema-checker.ts";
import type { ChatOptions } from "../../store/database/models.ts";
import { repeating } from "../../store/database/unit-of-work.ts";
import type { JobEnv } from "../jobs.ts";
import { whileLeased } from "../while-leased.ts";
import { gradeOutput } from "./grade-output.ts";

export type Grading = { checkSchema: SchemaChecker["check"]; firstPauseMs?: number };

/** Rows of an evaluation that are asked about at the same time. */
const MAX_ASKED = 4;
const BATCH_SIZE = 100;
const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 1_000;
/** After so many failed rows in a row, the others are not asked about. */
const MAX_FAILED = 10;
/** Longer outputs are stored without their end, in characters. */
const MAX_STORED = 10_000;

/** Another replica has the evaluation, it was canceled, or the server stops. */
class Left extends Error {}

/** Executes an evaluation that this replica has claimed, from where an earlier replica left it. Each outcome is stored at once. */
export async function runEvaluation(env: JobEnv, evaluation: ClaimedEvaluation, grading: Grading): Promise<void> {
  const { database, now, stopping } = env;
  const { db } = database;
  const finish = (status: "COMPLETED" | "FAILED", message: string | null) =>
    repeating(database, (own) => finishEvaluation(own, evaluation, { status, message }, now()));
  try {
    await whileLeased(
      env,
      (until) => renewLease(db, evaluation, until),
      (signal) => new Execution(env, evaluation, grading, signal).askAll(),
    );
    await finish("COMPLETED", null);
  } catch (error) {
    if (error instanceof ModelFailure) await finish("FAILED", error.message);
    else if (!(error instanceof Left)) throw error;
    else if (stopping?.aborted) await releaseEvaluation(db, evaluation);
  }
}

class Execution {
  readonly #env: JobEnv;
  readonly #evaluation: ClaimedEvaluation;
  readonly #grading: Grading;
  readonly #leased: AbortSignal;
  /** Aborts when a row shows that the others need not be asked about. */
  readonly #ended = new AbortController();
  /** Stores one outcome at a time, so that a later progress replaces an earlier one. */
  readonly #saving = pLimit(1);
  #progress: Progress;
  #failedInARow = 0;

  constructor(env: JobEnv, evaluation: ClaimedEvaluation, grading: Grading, leased: AbortSignal) {
    const { completedRows, failedRows, sums } = evaluation;
    this.#progress = { completedRows, failedRows, sums };
    this.#env = env;
    this.#evaluation = evaluation;
    this.#grading = grading;
    this.#leased = leased;
  }

  /** @throws ModelFailure if the evaluation failed; Left */
  async askAll(): Promise<void> {
    const joined = joinSignals(this.#leased, this.#ended.signal);
    const asking = pLimit(MAX_ASKED);
    try {
      for (;;) {
        const rows = await listPending(this.#env.database.db, this.#evaluation, BATCH_SIZE);
        if (rows.length === 0) return;
        await Promise.allSettled(rows.map((row) => asking(() => this.#ask(row, joined.signal))));
        if (this.#leased.aborted) throw new Left();
        this.#ended.signal.throwIfAborted();
      }
    } finally {
      joined.release();
    }
  }

  async #ask(row: EvaluationRow, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    try {
      const outcome = await this.#evaluate(row, signal);
      await this.#saving(() => this.#save(outcome));
    } catch (error) {
      // The first error ends the others. They fail with it too.
      if (!signal.aborted) this.#ended.abort(error);
    }
  }

  /** @throws ModelFailure if it is about every row */
  async #evaluate({ row, input, expected }: EvaluationRow, signal: AbortSignal): Promise<RowOutcome> {
    const { projectID, setup } = this.#evaluation;
    const { checkSchema, firstPauseMs = FIRST_PAUSE_MS } = this.#grading;
    const options: ChatOptions = { signal, attempts: ATTEMPTS, firstPauseMs };
    const startTime = performance.now();
    try {
      const { messages } = renderMessages(setup.request.messages, input);
      const chat = await openModels(this.#env.database.db, projectID);
      const output = await chat.ask({ ...setup.request, messages }, options);
      const durationMs = Math.round(performance.now() - startTime);
      const check = (schema: string, values: unknown[]) => checkSchema(projectID, schema, values);
      const scores = await gradeOutput(setup, { input, expected, output }, { chat, options, check });
      return { row, status: "COMPLETED", output: storableText(output.slice(0, MAX_STORED)), message: null, scores, durationMs };
    } catch (error) {
      signal.throwIfAborted();
      const isOfRow = error instanceof RenderingFailure || (error instanceof ModelFailure && error.kind !== "endpoint");
      if (!isOfRow) throw error;
      return { row, status: "FAILED", output: null, message: error.message, scores: [], durationMs: null };
    }
  }

  async #save(outcome: RowOutcome): Promise<void> {
    if (this.#ended.signal.aborted || this.#leased.aborted) return;
    const hasFailed = outcome.status === "FAILED";
    const progress = afterRow(this.#progress, hasFailed ? undefined : outcome.scores);
    const isOurs = await repeating(this.#env.database, (db) => saveRow(db, this.#evaluation, outcome, progress));
    if (!isOurs) return this.#ended.abort(new Left());
    this.#progress = progress;
    this.#failedInARow = hasFailed ? this.#failedInARow + 1 : 0;
    if (this.#failedInARow >= MAX_FAILED)
      this.#ended.abort(new ModelFailure("endpoint", `${MAX_FAILED} rows in a row failed. The last one: ${outcome.message}`));
  }
}
