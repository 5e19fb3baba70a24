import { useQueries } from "@tanstack/react-query";
import { query, type Request, type Schema } from "../api.ts";
import type { ScoreGroup } from "./score-rows.ts";

type Asked = Omit<NonNullable<Request<"getExperimentPulseResults">["query"]>, "test" | "series">;

/** The results of every group, each compared with the same control group. */
export function useGroupPulses(id: string, groups: readonly ScoreGroup[], asked: Asked) {
  const answers = useQueries({
    queries: groups.map((group) => query("getExperimentPulseResults", { path: { id }, query: { ...asked, test: group.id } })),
  });
  const pulses = groups.flatMap((group, index): { group: ScoreGroup; pulse: Schema<"ExperimentPulse"> }[] => {
    const pulse = answers[index]?.data?.data;
    return pulse ? [{ group, pulse }] : [];
  });
  return {
    /** Empty until all groups are read, so that no group is missing from a conclusion. */
    pulses: pulses.length === groups.length ? pulses : [],
    isPending: answers.some((answer) => answer.isPending),
    error: answers.find(({ error }) => error !== null)?.error ?? null,
  };
}
