import { ExplainedNumber } from "./explained-number.tsx";
import type { UnitsPart } from "./monitored-units.ts";
import { MONITORED_MEANINGS } from "./other-meanings.ts";

/** How many units were compared, each number explained. */
export function MonitoredUnits({ parts }: { parts: readonly UnitsPart[] }) {
  return parts.map((part) =>
    typeof part === "string" ? part : <ExplainedNumber key={part.of} meaning={MONITORED_MEANINGS[part.of]} text={part.text} />,
  );
}
