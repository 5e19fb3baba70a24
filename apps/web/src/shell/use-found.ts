import { keepPreviousData, type UseQueryOptions, useQueries } from "@tanstack/react-query";
import { query } from "../api.ts";
import type { PagedType } from "./entity-pages.ts";

const MAX_FOUND = 5;

type Entity = { id?: string; name?: string };
type Search = { type: PagedType; noun: string; read: UseQueryOptions<{ data: Entity[] }> };
type Found = { type: PagedType; noun: string; entities: { id: string; name: string }[] };

/** @param read a list: every list gives entities with a name, or an id that is one */
const search = (type: Search["type"], noun: string, read: object): Search => ({ type, noun, read: read as Search["read"] });

/** What a search looks through, in the order of the results. */
function searchesFor(text: string): Search[] {
  const request = { query: { search: text, limit: MAX_FOUND } };
  return [
    search("gate", "Gates", query("listGates", request)),
    search("dynamic_config", "Dynamic configs", query("listDynamicConfigs", request)),
    search("experiment", "Experiments", query("listExperiments", request)),
    search("autotune", "Autotunes", query("listAutotunes", request)),
    search("layer", "Layers", query("listLayers", request)),
    search("holdout", "Holdouts", query("listHoldouts", request)),
    search("param_store", "Param stores", query("listParamStores", request)),
    search("prompt", "Prompts", query("listPrompts", request)),
    search("segment", "Segments", query("listSegments", request)),
    search("metric", "Metrics", query("listMetrics", request)),
    search("metric", "Automatic metrics", query("listMetrics", { query: { ...request.query, automatic: true } })),
    search("metric_source", "Metric sources", query("listMetricSources", request)),
    search("alert", "Alerts", query("listAlerts", request)),
    search("assignment_source", "Assignment sources", query("listAssignmentSources", request)),
    search("entity_property_source", "Entity properties", query("listEntityPropertySources", request)),
    search("qualifying_event", "Qualifying events", query("listQualifyingEvents", request)),
    search("ingestion_source", "Ingestion sources", query("listIngestionSources", request)),
    search("team", "Teams", query("listTeams", request)),
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
    entities: (answers[index]?.data?.data ?? []).map(({ id, name = id ?? "" }) => ({ id: id ?? name, name })),
  }));
}
