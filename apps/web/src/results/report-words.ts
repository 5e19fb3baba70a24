// Contents of reports, in words. Pure.
import type { Schema } from "../api.ts";

export type ReportType = Schema<"ReportType">;

/** `isOfOne` marks reports about one experiment. */
export const REPORTS: Readonly<Record<ReportType, { label: string; about: string; isOfOne?: true }>> = {
  pulse_daily: {
    label: "Results",
    about: "One row per metric and group, compared with the control group at the end of the day.",
  },
  topline_impact_daily: {
    label: "Topline impact",
    about: "One row per metric and group, with its impact on the whole metric at the end of the day.",
  },
  first_exposures: { label: "First exposures", about: "One row per unit first exposed on the day." },
  unit_level: {
    label: "Unit-level data of this experiment",
    about:
      "One row per unit with its group, first exposure, and values of its metrics before and after the first exposure (no percentiles).",
    isOfOne: true,
  },
};

export const FORMATS = [
  { id: "csv", label: "CSV", hint: "for spreadsheets" },
  { id: "parquet", label: "Parquet", hint: "for programs, with typed columns" },
] as const;
export type Format = (typeof FORMATS)[number]["id"];

/** @param id the experiment of a report about one */
export const fileName = (type: ReportType, date: string, format: Format, id: string): string =>
  `${[type, ...(REPORTS[type].isOfOne ? [id] : []), date].join("_")}.${format}`;
