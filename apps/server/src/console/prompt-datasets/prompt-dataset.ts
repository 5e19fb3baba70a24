import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { invalid, type Violation } from "../../common/errors.ts";
import { newID } from "../../common/identifier.ts";
import { namedLabels } from "../common/named.ts";
import { created, modified } from "../common/stamp.ts";
import type { Reference } from "../reference.ts";
import { type DatasetRow, readCSV } from "./csv-rows.ts";

export type PromptDataset = Schema<"PromptDataset">;
type PromptDatasetCreate = WritableSchema<"PromptDatasetCreate">;
type PromptDatasetPatch = WritableSchema<"PromptDatasetPatch">;

const DEFAULTS = { description: "", rows: [], tags: [], team: null, teamID: null } satisfies Partial<PromptDataset>;

const MAX_ROWS = 1_000;
const MAX_INPUTS = 50;
const MAX_NAME = 100;
const MAX_VALUE = 20_000;
/** Maximum size of all rows of a dataset, in characters of JSON. */
const MAX_TEXT = 250_000;

/** Creates a dataset. Only the name is required. @throws AppError invalid_request */
export function newPromptDataset({ csv, ...given }: PromptDatasetCreate, context: Context): PromptDataset {
  return { id: newID("prompt_dataset", given), ...DEFAULTS, ...created(context), ...given, ...rowsOf(csv, given.rows) };
}

/** The dataset with the given fields changed. @throws AppError invalid_request */
export function changePromptDataset(dataset: PromptDataset, { csv, ...given }: PromptDatasetPatch, context: Context): PromptDataset {
  return { ...dataset, ...given, ...rowsOf(csv, given.rows), ...modified(dataset, context) };
}

/** The rows that a request gives. None if it gives none. */
function rowsOf(csv: string | undefined, given: DatasetRow[] | undefined): { rows?: DatasetRow[] } {
  if (csv !== undefined && given !== undefined) throw invalid([{ property: "csv", errorMessage: "must be left out with rows" }]);
  const read = csv === undefined ? undefined : readCSV(csv);
  if (read && "violations" in read) throw invalid(read.violations);
  const rows = read?.rows ?? given;
  if (rows === undefined) return {};
  const violations = [...(read ? checkBounds(read.rows) : []), ...checkLength(rows, read ? "csv" : "rows")];
  if (violations.length > 0) throw invalid(violations);
  return { rows };
}

/** The bounds that the contract has for `rows`. Rows are counted without the line of the names. */
function checkBounds(rows: DatasetRow[]): Violation[] {
  const refuse = (errorMessage: string) => ({ property: "csv", errorMessage });
  const names = Object.keys(rows[0]?.input ?? {});
  const long = rows.findIndex(({ input, expected = "" }) => [...Object.values(input), expected].some(({ length }) => length > MAX_VALUE));
  return [
    ...(rows.length > MAX_ROWS ? [refuse(`must not have more than ${MAX_ROWS} rows`)] : []),
    ...(names.length > MAX_INPUTS ? [refuse(`must not have more than ${MAX_INPUTS} columns of inputs`)] : []),
    ...(names.some(({ length }) => length > MAX_NAME) ? [refuse(`must not have a name longer than ${MAX_NAME} characters`)] : []),
    ...(long >= 0 ? [refuse(`must not have a value longer than ${MAX_VALUE} characters. Row ${long + 1} has one`)] : []),
  ];
}

function checkLength(rows: DatasetRow[], property: string): Violation[] {
  if (JSON.stringify(rows).length <= MAX_TEXT) return [];
  return [{ property, errorMessage: `makes the rows longer than ${MAX_TEXT} characters of JSON together` }];
}

/** The dataset's references. */
export function namedByPromptDataset(dataset: PromptDataset): Reference[] {
  return namedLabels({ tags: dataset.tags, teamID: dataset.teamID });
}
