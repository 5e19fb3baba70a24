import { useMemo } from "react";
import type { LoadOperations } from "../../results/load-operations.ts";
import { unitsOfHoldout } from "../../results/monitored-units.ts";
import { Monitoring, type MonitoringWords } from "../../results/monitoring.tsx";
import { useRefusal } from "../../session/account.ts";

const WORDS: MonitoringWords = {
  control: "Held out",
  test: "Not held out",
  controlDeed: "being held out",
  testDeed: "Getting what the holdout holds back",
  since: "Units count that met the holdout first since its share changed last,",
  counted: unitsOfHoldout,
  loads: "Holdouts that hold out somebody are loaded every day, if metrics monitor them.",
  topline: { now: "Now, by the units that are not held out", everybody: "If no unit were held out" },
  noMetrics: "Name some in the holdout’s details, then load the results.",
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
  return <Monitoring of="getHoldoutPulseResults" path={{ id }} loads={loads} words={WORDS} disabledReason={refusal} />;
}
