import type { Schema } from "@gatehouse/contract/console";
import { allocateTraffic, banditWeights } from "@gatehouse/statistics";
import type { EventSource } from "../plans/plan.ts";
import type { BanditRow } from "../sql/bandit-query.ts";

type Autotune = Schema<"Autotune">;
type Learned = Omit<Schema<"AutotuneVariantProgress">, "share">;

/** The events that are outcomes of an autotune, each with its number. */
export function outcomeEvents(autotune: Autotune): EventSource {
  const { successEvent, successEventValue, metadataField, optimizationParameter, valueColumn } = autotune;
  const compared = metadataField === "" ? ({ type: "value" } as const) : ({ type: "metadata", column: metadataField } as const);
  const number = valueColumn === "" ? ({ of: "value" } as const) : ({ of: "metadata", key: valueColumn } as const);
  return {
    event: successEvent,
    criteria: successEventValue === "" ? [] : [{ ...compared, condition: "=", values: [successEventValue] }],
    number: optimizationParameter === "value" ? number : { of: "one" },
  };
}

/** The findings about an autotune's variants from their counts, in their order. Weights start once each variant has enough units. */
export function learn(autotune: Autotune, rows: readonly BanditRow[]): { learned: Learned[]; weights: number[] | undefined } {
  const byID = new Map(rows.map((row) => [row.grp, row]));
  const counts = autotune.variants.map(({ id }) => byID.get(id) ?? { grp: id, units: 0, outcomes: 0, total: 0, squares: 0 });
  const isValue = autotune.optimizationParameter === "value";
  const weights = banditWeights(
    isValue
      ? { of: "value", arms: counts.map(({ units, total, squares }) => ({ n: units, sum: total, sumSquares: squares })) }
      : { of: "occurrence", arms: counts.map(({ units, outcomes }) => ({ units, successes: outcomes })) },
    autotune,
  );
  const learned = counts.map(({ grp, units, outcomes, total }, index) => ({
    id: grp,
    units,
    outcomes,
    mean: units === 0 ? null : (isValue ? total : outcomes) / units,
    probabilityOfBest: weights?.[index] ?? null,
  }));
  return { learned, weights };
}

/** The shares of traffic of an autotune's variants. @param exploration the share of traffic that all variants share equally */
export function trafficFor(
  { variants }: Autotune,
  weights: readonly number[] | undefined,
  exploration: number,
): { id: string; share: number }[] {
  const shares = allocateTraffic(weights ?? variants.map(() => 1 / variants.length), exploration);
  return variants.map(({ id }, index) => ({ id, share: shares[index] as number }));
}
