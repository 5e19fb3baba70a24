import type { Schema } from "../../api.ts";

export type SegmentType = Schema<"SegmentType">;

export const TYPES: Readonly<Record<SegmentType, string>> = {
  rule_based: "Rules",
  id_list: "ID list",
  user_store_id_list: "ID list of a user store",
  analysis_list: "Analysis list",
};

/** The types offered for new segments, with the way that members are chosen. */
export const OFFERED_TYPES = [
  { id: "rule_based", label: "Rules", hint: "members match conditions" },
  { id: "id_list", label: "ID list", hint: "pasted or from a file" },
] as const satisfies readonly { id: SegmentType; label: string; hint: string }[];

/** Whether a list of ids decides who is in. */
export const isIDList = (type: SegmentType): type is "id_list" | "user_store_id_list" =>
  type === "id_list" || type === "user_store_id_list";
