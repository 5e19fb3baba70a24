import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { query, type Schema } from "../api.ts";

export type OpenGuardrailAlert = Schema<"OpenGuardrailAlert">;

/** How many alerts a page has. */
const SHOWN = 20;

/** The open alerts of guardrails, newest first. Undefined until they are read. */
export function useOpenGuardrailAlerts(page = 1) {
  return useQuery({ ...query("listGuardrailAlerts", { query: { limit: SHOWN, page } }), placeholderData: keepPreviousData }).data;
}
