import { useQuery } from "@tanstack/react-query";
import { query } from "../../api.ts";
import { Lines } from "../../charts/lines.tsx";
import type { Series } from "../../charts/series.ts";
import { explain } from "../../explain.ts";
import { Section } from "../../shell/page.tsx";
import { unitNoun } from "../../targeting/sentences.ts";
import { Loading, Notice } from "../../ui/notice.tsx";
import { type Autotune, MIN_UNITS } from "./states.ts";

/** Days that the charts show. */
const MAX_DAYS = 400;

/** How the traffic of each variant, and its probability of being the best, changed during the run. */
export function AutotuneHistory({ autotune: { id, idType, variants } }: { autotune: Autotune }) {
  const { data, error } = useQuery(query("listAutotuneDays", { path: { id }, query: { limit: MAX_DAYS } }));
  if (error) return <Notice tone="bad">{explain(error)}</Notice>;
  if (data === undefined) return <Loading label="Loading history" />;
  const days = [...data.data].reverse();
  const draw = (read: (found: (typeof days)[number]["variants"][number]) => number | null): Series[] =>
    variants.map((variant) => ({
      id: variant.id ?? variant.name,
      label: variant.name,
      points: days.flatMap(({ date, variants: found }) => {
        const one = found.find((other) => other.id === variant.id);
        const value = one === undefined ? null : read(one);
        return value === null ? [] : [{ time: Date.parse(date), value }];
      }),
    }));
  return (
    <Section title="Over time" description="As of the last check of each day. Days are in UTC.">
      <Lines
        title="Traffic by day"
        unit="% of traffic"
        isPercent
        interval="day"
        series={draw(({ share }) => share)}
        empty="No checks yet. They run hourly."
      />
      <Lines
        title="Probability of being the best"
        unit="%"
        isPercent
        interval="day"
        series={draw(({ probabilityOfBest }) => (probabilityOfBest === null ? null : probabilityOfBest * 100))}
        empty={`Not enough data yet. Every variant needs ${MIN_UNITS} ${unitNoun(idType)}.`}
      />
    </Section>
  );
}
