import { useQueries } from "@tanstack/react-query";
import { type Answer, query, type Schema } from "../../api.ts";
import type { Experiment } from "./states.ts";

/** The most experiments of one request. */
const AT_ONCE = 25;

type Scores = ReadonlyMap<string, Schema<"ExperimentScore">["groups"]>;
type Read = { data: Answer<"getExperimentScores"> | undefined; error: Error | null };

/** The test groups of each experiment that has started, with their scores. An experiment is missing until they are read. */
export function useScores(experiments: readonly Experiment[]): { scores: Scores; error: Error | null } {
  const started = experiments.filter(({ startTime }) => startTime !== null).map(({ id }) => id);
  const parts = Array.from({ length: Math.ceil(started.length / AT_ONCE) }, (_, index) =>
    started.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  );
  return useQueries({ queries: parts.map((ids) => query("getExperimentScores", { query: { experiments: ids } })), combine });
}

const combine = (answers: readonly Read[]) => ({
  scores: new Map(answers.flatMap(({ data }) => data?.data.experiments ?? []).map(({ experimentID, groups }) => [experimentID, groups])),
  error: answers.find(({ error }) => error !== null)?.error ?? null,
});
