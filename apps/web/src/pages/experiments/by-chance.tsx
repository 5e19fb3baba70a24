import type { Schema } from "../../api.ts";
import type { GroupPulse } from "../../results/score-rows.ts";
import { useResultsSearch } from "../../results/use-results-search.ts";
import { chanceText } from "../../results/verdicts.ts";
import { Button } from "../../ui/button.tsx";

type Props = { pulses: readonly (GroupPulse & { pulse: Schema<"ExperimentPulse"> })[]; isCorrected: boolean };

/** How many comparisons would be better or worse by chance alone, with a way to correct for it. Empty if that is negligible. */
export function ByChance({ pulses, isCorrected }: Props) {
  const [, change] = useResultsSearch();
  const chances = pulses.flatMap(({ pulse }) => pulse.chance ?? []);
  const sum = (of: (chance: Schema<"PulseChance">) => number) => chances.reduce((total, chance) => total + of(chance), 0);
  const total = { comparisons: sum(({ comparisons }) => comparisons), expected: sum(({ expected }) => expected) };
  const text = chanceText(total, pulses.length > 1 ? "comparisons" : "metrics");
  if (text === undefined) return null;
  return (
    <p>
      {text} {!isCorrected && <Button onPress={() => change({ correction: "bonferroni-metrics" })}>Correct for multiple metrics</Button>}
    </p>
  );
}
