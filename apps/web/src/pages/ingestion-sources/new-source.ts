// Fields of the dialog that creates an ingestion source. Pure.
import type { WritableSchema } from "../../api.ts";
import type { Dataset } from "../../ingestion/ingestion-words.ts";
import { COLUMNS_OF, type ColumnName, type Engine, OPTIONAL, toMapping, USER_ID } from "./ingestion-source-draft.ts";

/** The fields that the contract requires of a new source. All others are edited on its page. */
export type NewSource = Record<ColumnName, string> & { dataset: Dataset; query: string; user: string; enabled: boolean };

const NO_COLUMNS = { event_name: "", experiment: "", group_id: "", timestamp: "", event_value: "", metadata_object: "" };
export const NEW: NewSource = { dataset: "Events", query: "", user: "", enabled: true, ...NO_COLUMNS };

/** The columns that a dataset needs. */
export const neededColumns = (dataset: Dataset): readonly ColumnName[] => COLUMNS_OF[dataset].filter((name) => !OPTIONAL.includes(name));

/** The same fields in the form of the source's page. */
export const toForm = ({ user, ...given }: NewSource) => ({
  ...given,
  ...{ sourceType: "query" as const, schema: "", table: "", metadata: [] },
  units: [{ unit: USER_ID, column: user }],
});

export function createBody(name: string, type: Engine, given: NewSource): WritableSchema<"IngestionSourceCreate"> {
  const { dataset, query, enabled } = given;
  return { type, dataset, source_name: name, query, enabled, column_mapping: toMapping(dataset, toForm(given)) };
}
