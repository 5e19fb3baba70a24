// Contents of reports, in words. Pure.
import type { Schema } from "../api.ts";

export type ReportType = Schema<"ReportType">;

/** `isOfOne` marks reports about one experiment. */
export const REPORTS: Readonly<Record<ReportType, { label: string; about: string; isOfOne?: true }>> = {
  pulse_daily: {
    label: "Results",
    about: "A row for each metric and group that is compared with the control group, as of the end of the day.",
  },
  topline_impact_daily: {
    label: "Topline impact",
    about: "A row for each metric and group: how much the group changes the whole metric, as of the end of the day.",
  },
  first_exposures: { label: "First exposures", about: "A row for each unit that saw a group for the first time on the day." },
  unit_level: {
    label: "Unit-level data of this experiment",
    about: "A row for each unit with its group, first exposure, and values of every metric before and after it, for a notebook.",
    isOfOne: true,
  },
};

export const FORMATS = [
  { id: "csv", label: "CSV", hint: "for a spreadsheet" },
  { id: "parquet", label: "Parquet", hint: "for a program, with typed columns" },
] as const;
export type Format = (typeof FORMATS)[number]["id"];

/** @param id the experiment of a report about one */
export const fileName = (type: ReportType, date: string, format: Format, id: string): string =>
  `${[type, ...(REPORTS[type].isOfOne ? [id] : []), date].join("_")}.${format}`;
