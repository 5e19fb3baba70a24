import { useMemo } from "react";
import type { LoadOperations } from "../../results/load-operations.ts";
import { unitsOfHoldout } from "../../results/monitored-units.ts";
import { Monitoring, MonitoringMetricsLink, type MonitoringWords } from "../../results/monitoring.tsx";
import { ResultNotes } from "../../results/result-notes.tsx";
import { useNoteMarks } from "../../results/use-note-marks.ts";
import { useRefusal } from "../../session/account.ts";

const WORDS: MonitoringWords = {
  control: "Held out",
  test: "Not held out",
  controlDeed: "being held out",
  testDeed: "Getting the features",
  since: "Only users first exposed since the last change of the share count,",
  counted: unitsOfHoldout,
  loads: "Results refresh daily if the holdout has monitoring metrics and a share above 0%.",
  topline: { now: "Now, from the users outside the holdout", everybody: "If no user were held out" },
  unseen: "Results appear after users get the features that it holds back.",
  noMetrics: (
    <>
      <MonitoringMetricsLink>Add monitoring metrics</MonitoringMetricsLink> in Details, then refresh the results.
    </>
  ),
};

const loadOperations = (id: string): LoadOperations => ({
  list: "listHoldoutPulseLoads",
  read: "getHoldoutPulseLoad",
  start: "startHoldoutPulseLoad",
  cancel: "cancelHoldoutPulseLoad",
  path: { id },
  request: { path: { id }, body: {} },
  reads: ["getHoldoutPulseResults"],
});

/** The joint effect of all entities that a holdout holds back. */
export default function ResultsTab({ id }: { id: string }) {
  const refusal = useRefusal()("launch_or_disable_configs");
  const loads = useMemo(() => loadOperations(id), [id]);
  const marks = useNoteMarks("holdout", id);
  return (
    <Monitoring
      of="getHoldoutPulseResults"
      path={{ id }}
      loads={loads}
      words={WORDS}
      disabledReason={refusal}
      marks={marks}
      details={<ResultNotes type="holdout" id={id} />}
    />
  );
}
