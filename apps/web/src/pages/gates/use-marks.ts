import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { query } from "../../api.ts";
import type { Mark } from "../../charts/marks.ts";
import { changeMarks } from "../../results/change-marks.ts";
import { useNoteMarks } from "../../results/use-note-marks.ts";
import { describeChanges } from "../../targeting/changes.ts";

const MAX_VERSIONS = 20;
const SEEN = /^(isEnabled|disabledEnvironments|status|rules|targetApps|holdoutIDs|idType|overrides)\b/;

/** The latest saves that can change the gate's checks, and the notes on its results. */
export function useGateMarks(id: string): Mark[] {
  const notes = useNoteMarks("gate", id);
  const { data } = useQuery(query("listGateVersions", { path: { id }, query: { limit: MAX_VERSIONS } }));
  return useMemo(
    () => [
      ...changeMarks(
        data?.data ?? [],
        (before, after) => describeChanges([], [{ type: "gate", id, before, after }]).flatMap(({ changes }) => changes),
        (field) => SEEN.test(field),
      ),
      ...notes,
    ],
    [data, id, notes],
  );
}
