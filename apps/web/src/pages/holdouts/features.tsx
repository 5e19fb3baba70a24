import { useQueries } from "@tanstack/react-query";
import { query } from "../../api.ts";
import { knownName } from "../../entity/known-name.ts";
import type { KnownNames } from "../../targeting/field-words.ts";
import { changedFeatures, type HoldoutDraft } from "./holdout-draft.ts";

const READS = { gate: "getGate", experiment: "getExperiment", layer: "getLayer" } as const;

/** Reads the features that a draft adds or removes, so that its review can name them. */
export function ReadFeatures({ draft }: { draft: HoldoutDraft }) {
  // Each operation takes the path of a gate's.
  useQueries({ queries: changedFeatures(draft).map(({ type, id }) => query(READS[type] as "getGate", { path: { id } })) });
  return null;
}

/** The names of the features that a draft adds or removes, by their IDs. */
export const featureNames = (draft: HoldoutDraft): KnownNames =>
  Object.fromEntries(changedFeatures(draft).map(({ type, id }) => [id, knownName(READS[type], id) ?? id]));
