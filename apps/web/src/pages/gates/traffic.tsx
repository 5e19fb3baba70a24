import { useQuery } from "@tanstack/react-query";
import { query } from "../../api.ts";
import { counted } from "../../charts/format.ts";
import { Sparkline } from "../../charts/sparkline.tsx";
import { checksByHour } from "./checks-by-hour.ts";

const HOURS = 24;

/** The checks of the last 24 hours. Nothing until they are known. */
export default function Traffic({ id, environment }: { id: string; environment: string | undefined }) {
  const { start, hours } = lastHours(Date.now());
  const { data } = useQuery(
    query("getGateChecksByRule", { path: { id }, query: { start, interval: "hour", ...(environment !== undefined && { environment }) } }),
  );
  if (!data) return null;
  const values = checksByHour(data.data.rules, hours);
  const total = values.reduce((sum, value) => sum + value, 0);
  return (
    <>
      <Sparkline label="Checks in the last 24 hours" unit="checks" values={values} />
      {counted(total, "checks")} in 24 hours
    </>
  );
}

/** Whole hours, the current one last. Times in ms since the epoch. */
function lastHours(now: number): { start: number; hours: number[] } {
  const hour = 3_600_000;
  const current = Math.floor(now / hour) * hour;
  const start = current - (HOURS - 1) * hour;
  return { start, hours: Array.from({ length: HOURS }, (_, index) => start + index * hour) };
}
