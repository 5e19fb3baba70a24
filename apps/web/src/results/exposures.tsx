import type { Answer } from "../api.ts";
import { Lines } from "../charts/lines.tsx";
import type { Mark } from "../charts/marks.ts";

type Exposures = Answer<"getExperimentCumulativeExposures">;

/** The units that all groups have reached so far. */
export const totalExposed = ({ data }: Exposures): number => data.reduce((sum, { results }) => sum + (results.at(-1)?.exposures ?? 0), 0);

/** How many units each group has reached by the end of each day. */
export function ExposureLines({ exposures: { data, timeZone }, marks }: { exposures: Exposures; marks?: readonly Mark[] }) {
  return (
    <Lines
      title="Exposed units by day"
      unit="units"
      interval="day"
      timeZone={timeZone}
      marks={marks}
      series={data.map(({ groupID, groupName, results }) => ({
        id: groupID,
        label: groupName,
        points: results.map(({ date, exposures }) => ({ time: Date.parse(date), value: exposures })),
      }))}
    />
  );
}
