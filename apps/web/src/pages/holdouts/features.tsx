import { useQueries } from "@tanstack/react-query";
import { query, queryClient } from "../../api.ts";
import type { KnownNames } from "../../targeting/field-words.ts";
import { listed } from "../../ui/list-text.ts";
import { Notice } from "../../ui/notice.tsx";
import { changedFeatures, type HoldoutDraft, leftExperiments, newlyHeld } from "./holdout-draft.ts";

const READS = { gate: "getGate", experiment: "getExperiment", layer: "getLayer" } as const;

/** The name of an entity, if a page has read the entity. */
function knownName(read: (typeof READS)[keyof typeof READS], id: string): string | undefined {
  // Each operation takes the path of a gate's.
  return queryClient.getQueryData(query(read as "getGate", { path: { id } }).queryKey)?.data.name;
}

/** Reads the features that a draft adds or removes, so that its review can name them. */
export function ReadFeatures({ draft }: { draft: HoldoutDraft }) {
  // Each operation takes the path of a gate's.
  useQueries({ queries: changedFeatures(draft).map(({ type, id }) => query(READS[type] as "getGate", { path: { id } })) });
  return null;
}

/** The names of the features that a draft adds or removes, by their IDs. */
export const featureNames = (draft: HoldoutDraft): KnownNames =>
  Object.fromEntries(changedFeatures(draft).map(({ type, id }) => [id, knownName(READS[type], id) ?? id]));

/** Experiments, and layers, that are read to warn about running experiments. */
const MAX_READ = 50;

/** For a review: the running experiments that users leave because they are held out. */
export function LeftExperiments({ draft }: { draft: HoldoutDraft }) {
  const { experimentIDs, layerIDs, areAll } = newlyHeld(draft);
  const ofHoldout = useQueries({ queries: experimentIDs.slice(0, MAX_READ).map((id) => query("getExperiment", { path: { id } })) });
  const inLayers = useQueries({
    queries: layerIDs.slice(0, MAX_READ).map((id) => query("listLayerExperiments", { path: { id }, query: { limit: 1_000 } })),
  });
  const held = [...ofHoldout, ...inLayers].flatMap(({ data }) => data?.data ?? []);
  const names = leftExperiments(draft, held).map((name) => `“${name}”`);
  if (areAll)
    return <Notice tone="warn">Users in the holdout leave all running experiments, so the results of these experiments change.</Notice>;
  if (names.length === 0) return null;
  return (
    <Notice tone="warn">
      Users in the holdout leave the running {names.length === 1 ? "experiment" : "experiments"} <bdi>{listed(names)}</bdi>, so{" "}
      {names.length === 1 ? "its" : "their"} results change.
    </Notice>
  );
}
