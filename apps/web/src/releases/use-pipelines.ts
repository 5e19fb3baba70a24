import { useQuery } from "@tanstack/react-query";
import { query } from "../api.ts";
import type { KnownNames } from "../targeting/field-words.ts";

const MAX_LISTED = 1_000;

/** The release pipelines of the project. */
export function usePipelines() {
  const { data } = useQuery(query("listReleasePipelines", { query: { limit: MAX_LISTED, sort: "name" } }));
  return data?.data ?? [];
}

/** The names of release pipelines by their ids, and of phases by the ids of their rules, for words about changes. */
export const usePipelineNames = (): KnownNames =>
  Object.fromEntries(
    usePipelines().flatMap(({ id, name, phases }) => [
      [id, name],
      ...phases.flatMap((phase) => phase.rules.flatMap((rule) => (rule.id === undefined ? [] : [[rule.id, phase.name]]))),
    ]),
  );
