import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../../common/errors.ts";
import type { EvaluationSetup } from "../../console/prompt-evaluations/prompt-evaluation.ts";
import {
  GRADING,
  type Graded,
  type Grader,
  gradeBySchema,
  gradeText,
  gradingInputs,
  noScore,
  type RowScore,
  readGrade,
} from "../../console/prompts/graders.ts";
import { RenderingFailure, renderText } from "../../console/prompts/render.ts";
import { ModelFailure } from "../../models/model-failure.ts";
import type { CheckSchema } from "../../schema-checks/schema-check.ts";
import type { Chat, ChatOptions } from "../../store/database/models.ts";

type Means = { chat: Chat; options: ChatOptions; check: CheckSchema };

/** The scores of all graders, in their order. One that cannot score an output says why. @throws ModelFailure if it is about every row */
export async function gradeOutput({ graders, gradingModel }: EvaluationSetup, graded: Graded, means: Means): Promise<RowScore[]> {
  const scores: RowScore[] = [];
  for (const grader of graders) scores.push({ grader: grader.name, ...(await grade(grader, gradingModel, graded, means)) });
  return scores;
}

async function grade(grader: Grader, gradingModel: string | null, graded: Graded, means: Means): Promise<Omit<RowScore, "grader">> {
  const { chat, options, check } = means;
  try {
    switch (grader.type) {
      case "equals":
      case "contains":
        return gradeText(grader, graded);
      case "json_schema":
      case "regex":
        return await whenFree(() => gradeBySchema(grader, graded, check), options);
      case "prompt": {
        const content = renderText(grader.prompt ?? "", gradingInputs(graded));
        const messages = [
          { role: "system" as const, content: GRADING },
          { role: "user" as const, content },
        ];
        return readGrade(await chat.ask({ model: gradingModel ?? "", messages }, options));
      }
    }
  } catch (error) {
    options.signal.throwIfAborted();
    if (error instanceof RenderingFailure || (error instanceof ModelFailure && error.kind !== "endpoint")) return noScore(error.message);
    if (error instanceof AppError && error.code === "unavailable") return noScore(error.message);
    throw error;
  }
}

/** Checks again if the queue for checks was full. */
async function whenFree<T>(work: () => Promise<T>, { attempts, firstPauseMs, signal }: ChatOptions): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "unavailable" || attempt >= attempts) throw error;
      await sleep(firstPauseMs * 2 ** (attempt - 1), undefined, { signal });
    }
  }
}
