import { keepPreviousData, type UseQueryOptions, useQueries } from "@tanstack/react-query";
import { query } from "../api.ts";
import type { PagedType } from "./entity-pages.ts";

const MAX_FOUND = 5;

type Entity = { id?: string; name: string };
type Search = { type: PagedType; noun: string; read: UseQueryOptions<{ data: Entity[] }> };
type Found = { type: PagedType; noun: string; entities: { id: string; name: string }[] };

/** Every list gives entities with a name. */
const listed = (read: object) => read as Search["read"];

/** What a search looks through, in the order of the results. */
function searchesFor(search: string): Search[] {
  const request = { query: { search, limit: MAX_FOUND } };
  return [
    { type: "gate", noun: "Gates", read: listed(query("listGates", request)) },
    { type: "dynamic_config", noun: "Dynamic configs", read: listed(query("listDynamicConfigs", request)) },
    { type: "experiment", noun: "Experiments", read: listed(query("listExperiments", request)) },
    { type: "autotune", noun: "Autotunes", read: listed(query("listAutotunes", request)) },
    { type: "layer", noun: "Layers", read: listed(query("listLayers", request)) },
    { type: "holdout", noun: "Holdouts", read: listed(query("listHoldouts", request)) },
    { type: "param_store", noun: "Param stores", read: listed(query("listParamStores", request)) },
    { type: "prompt", noun: "Prompts", read: listed(query("listPrompts", request)) },
    { type: "segment", noun: "Segments", read: listed(query("listSegments", request)) },
    { type: "metric", noun: "Metrics", read: listed(query("listMetrics", request)) },
    { type: "metric", noun: "Automatic metrics", read: listed(query("listMetrics", { query: { ...request.query, automatic: true } })) },
    { type: "metric_source", noun: "Metric sources", read: listed(query("listMetricSources", request)) },
    { type: "alert", noun: "Alerts", read: listed(query("listAlerts", request)) },
    { type: "assignment_source", noun: "Assignment sources", read: listed(query("listAssignmentSources", request)) },
    { type: "team", noun: "Teams", read: listed(query("listTeams", request)) },
  ];
}

/** The entities whose name, id or description has the text, by kind. Kinds whose answer is still to come show what they had. */
export function useFound(search: string): Found[] {
  const searches = searchesFor(search);
  const answers = useQueries({
    queries: searches.map(({ read }) => ({ ...read, enabled: search !== "", placeholderData: keepPreviousData })),
  });
  if (search === "") return [];
  return searches.map(({ type, noun }, index) => ({
    type,
    noun,
    entities: (answers[index]?.data?.data ?? []).map(({ id, name }) => ({ id: id ?? name, name })),
  }));
}
