// Contents of reports, in words. Pure.
import type { Schema } from "../api.ts";

export type ReportType = Schema<"ReportType">;

export const REPORTS: Readonly<Record<ReportType, { label: string; about: string }>> = {
  pulse_daily: {
    label: "Results",
    about: "One row per metric and group, compared with the control group at the end of the day.",
  },
  topline_impact_daily: {
    label: "Topline impact",
    about: "One row per metric and group, with its impact on the whole metric at the end of the day.",
  },
  first_exposures: { label: "First exposures", about: "One row per unit first exposed on the day." },
};

export const FORMATS = [
  { id: "csv", label: "CSV", hint: "for spreadsheets" },
  { id: "parquet", label: "Parquet", hint: "for programs, with typed columns" },
] as const;
export type Format = (typeof FORMATS)[number]["id"];

export const fileName = (type: ReportType, date: string, format: Format): string => `${type}_${date}.${format}`;
