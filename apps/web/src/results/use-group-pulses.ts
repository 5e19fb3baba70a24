import { useQueries } from "@tanstack/react-query";
import { type Answer, query, queryClient, type Request, type Schema } from "../api.ts";
import type { ScoreGroup } from "./score-rows.ts";

type Asked = Omit<NonNullable<Request<"getExperimentPulseResults">["query"]>, "test" | "series">;

/** The results of every group, each compared with the same control group. */
export function useGroupPulses(id: string, groups: readonly ScoreGroup[], asked: Asked) {
  const answers = useQueries({
    queries: groups.map((group) => {
      const read = query("getExperimentPulseResults", { path: { id }, query: { ...asked, test: group.id } });
      return { ...read, placeholderData: () => latest(id, asked.control, group.id) };
    }),
  });
  const pulses = groups.flatMap((group, index): { group: ScoreGroup; pulse: Schema<"ExperimentPulse"> }[] => {
    const pulse = answers[index]?.data?.data;
    return pulse ? [{ group, pulse }] : [];
  });
  return {
    /** Empty until all groups are read, so that no group is missing from a conclusion. */
    pulses: pulses.length === groups.length ? pulses : [],
    isPending: answers.some((answer) => answer.isPending || answer.isPlaceholderData),
    error: answers.find(({ error }) => error !== null)?.error ?? null,
  };
}

/** The latest answer about the same groups, which stays on the page while it is computed with other settings. */
function latest(id: string, control: string | undefined, test: string): Answer<"getExperimentPulseResults"> | undefined {
  const known = queryClient.getQueryCache().findAll({
    queryKey: ["getExperimentPulseResults"],
    predicate({ queryKey }) {
      const { path, query: asked } = queryKey[2] as Request<"getExperimentPulseResults">;
      return path.id === id && asked?.control === control && asked?.test === test && asked.series === undefined;
    },
  });
  const [last] = known.sort((one, other) => other.state.dataUpdatedAt - one.state.dataUpdatedAt);
  return last?.state.data as Answer<"getExperimentPulseResults"> | undefined;
}
