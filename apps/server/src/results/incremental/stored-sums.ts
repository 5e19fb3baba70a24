import type { Plan, Term } from "../plans/plan.ts";
import { withBases } from "../pulse/ask-sums.ts";
import type { DailySums } from "../pulse/sums.ts";
import type { Analysis } from "../sql/analysis.ts";
import { SUMS } from "../sql/measures.ts";
import { collectBounds, isBounded } from "./unit-bounds.ts";
import { NO_CLIPS, toUnitMeasure } from "./unit-measures.ts";
import { readUnitDays, type Shard, type UnitDays } from "./unit-rows.ts";
import { sumUnits } from "./unit-sums.ts";

/** Units that are summed at once, while nothing else runs. */
const UNITS_AT_ONCE = 1_000;
/** The most bytes of amounts that are kept in memory to be read again. */
const MOST_REMEMBERED = 2 ** 26;

type Given = {
  /** The terms of the stored rows, in their order. */
  terms: readonly Term[];
  /** The ids of the groups, in the order of their places. */
  groups: readonly string[];
  analysis: Pick<Analysis, "days" | "end">;
  /** Reads the shards, possibly several times. */
  shards(): AsyncIterable<Shard>;
  /** Lets others run. */
  breathe(): Promise<void>;
};

/** Each day's additions to the sums of several plans, from stored days of units. They are those that `askSums` returns. */
export function storedSums(plans: readonly Plan[], given: Given): Promise<DailySums[][]> {
  return withBases(plans, (asked) => sumOnce(asked, given));
}

async function sumOnce(plans: readonly Plan[], given: Given): Promise<DailySums[][]> {
  const { terms, groups, analysis } = given;
  const measures = plans.map((plan) => toUnitMeasure(plan, terms));
  const bounds = collectBounds(measures, terms, analysis.end);
  const isClipped = measures.some(isBounded);
  const read = isClipped ? readTwice(given) : () => readDays(given);
  if (isClipped) await eachUnit(read(), given, bounds.add);
  const clips = isClipped ? bounds.clips() : measures.map(() => NO_CLIPS);
  const sums = sumUnits({ measures, clips, terms, groups, ...analysis });
  await eachUnit(read(), given, sums.add);
  return sums.daily().map(requireFinite);
}

/** @throws RangeError for sums that are too large for a double, which the database refuses */
function requireFinite(daily: DailySums[]): DailySums[] {
  for (const { sums } of daily)
    for (const name of SUMS) if (!Number.isFinite(sums[name])) throw new RangeError(`The sum ${name} is out of range.`);
  return daily;
}

async function* readDays({ terms, shards }: Given): AsyncGenerator<UnitDays> {
  for await (const shard of shards()) yield readUnitDays(shard, terms);
}

/** Remembers the days of the first reading for the second one, unless they are too many. */
function readTwice(given: Given): () => AsyncIterable<UnitDays> | Iterable<UnitDays> {
  let known: UnitDays[] | undefined;
  return () => {
    if (known) return known;
    return remembering();
  };

  async function* remembering(): AsyncGenerator<UnitDays> {
    const read: UnitDays[] = [];
    let bytes = 0;
    for await (const days of readDays(given)) {
      bytes += days.amounts.byteLength;
      if (bytes <= MOST_REMEMBERED) read.push(days);
      else read.length = 0;
      yield days;
    }
    if (bytes <= MOST_REMEMBERED) known = read;
  }
}

type Days = AsyncIterable<UnitDays> | Iterable<UnitDays>;

async function eachUnit(shards: Days, { breathe }: Given, visit: (days: UnitDays, unit: number) => void): Promise<void> {
  for await (const days of shards) {
    const count = days.units.numbers.length;
    for (let unit = 0; unit < count; unit++) {
      visit(days, unit);
      if (unit % UNITS_AT_ONCE === UNITS_AT_ONCE - 1) await breathe();
    }
    await breathe();
  }
}
