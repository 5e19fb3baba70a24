import type { FormatDefinition } from "ajv";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { isPlausibleTime, TIME_FORMAT } from "../../common/time-range.ts";

/** The format of a text that ajv knows fully: it refuses 31 November, and the fast one does not. */
const full = (name: "date" | "date-time") => fullFormats[name] as FormatDefinition<string>;

/** Formats of the contract that validators replace or add. */
export const FORMATS = {
  [TIME_FORMAT]: { type: "number" as const, validate: isPlausibleTime },
  date: full("date"),
  "date-time": full("date-time"),
};
