import { useQuery } from "@tanstack/react-query";
import { query } from "../api.ts";
import { counted } from "../charts/format.ts";
import { Sparkline } from "../charts/sparkline.tsx";

const UNITS = { experiments: "exposures", dynamicConfigs: "reads" } as const;

/** The exposures of the last 24 hours in every environment. Nothing until they are known. */
export default function RecentExposures({ type, id }: { type: keyof typeof UNITS; id: string }) {
  const { data } = useQuery(query("getExposureCount", { query: { [type]: [id] } }));
  const hours = data?.data[type][0]?.hours;
  if (hours === undefined) return null;
  const unit = UNITS[type];
  return (
    <>
      <Sparkline label={`${type === "experiments" ? "Exposures" : "Reads"} in the last 24 hours`} unit={unit} values={hours} />
      {counted(
        hours.reduce((sum, one) => sum + one, 0),
        unit,
      )}{" "}
      in 24 hours
    </>
  );
}
