import { useQueries } from "@tanstack/react-query";
import { query, type Request, type Schema } from "../api.ts";
import type { ScoreGroup } from "./score-rows.ts";

type Asked = Omit<NonNullable<Request<"getExperimentPulseResults">["query"]>, "test" | "series">;

/** The results of every group, each compared with the same control group. */
export function useGroupPulses(id: string, groups: readonly ScoreGroup[], asked: Asked) {
  const answers = useQueries({
    queries: groups.map((group) => {
      const read = query("getExperimentPulseResults", { path: { id }, query: { ...asked, test: group.id } });
      return { ...read, placeholderData: ofSameGroups(asked.control, group.id) };
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

/** While other settings are computed, a comparison of the same groups stays on the page. */
const ofSameGroups =
  (control: string | undefined, test: string) =>
  <Data>(known: Data | undefined, before: { queryKey: readonly unknown[] } | undefined): Data | undefined => {
    const { query: asked } = (before?.queryKey[2] ?? {}) as { query?: { control?: string; test?: string } };
    return asked?.control === control && asked?.test === test ? known : undefined;
  };
