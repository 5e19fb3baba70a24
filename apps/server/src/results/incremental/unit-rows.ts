import type { Term } from "../plans/plan.ts";
import { DAY_OFFSET } from "../sql/unit-days.ts";

/** The units of a shard. Each list has a unit's value at the same place. */
type ShardUnits = {
  /** The numbers of the units in rows. */
  numbers: Int32Array;
  /** The places of their groups in the list of groups. */
  groups: Uint16Array;
  /** Their first exposures, ms. */
  since: Float64Array;
};

/** A shard of a state: its units, and the rows of each day of arrival. */
export type Shard = { units: ShardUnits; blocks: readonly Uint8Array[] };

/**
 * The days of the units of a shard. Those of the unit at a place `u` are at the places from `starts[u]` to just before `starts[u + 1]`: first
 * the days before the exposure, then the others, each once and ascending.
 */
export type UnitDays = {
  units: ShardUnits;
  starts: Int32Array;
  /** The number of each day, twice, and 1 more if it is before the exposure. */
  codes: Int32Array;
  /** The amounts of each day, one for each term; NaN if it has none. */
  amounts: Float64Array;
};

const HEAD_BYTES = 8;

/** The number of bits of each mask. */
const BITS = Uint8Array.from({ length: 2 ** 16 }, (_, mask) => {
  let count = 0;
  for (let rest = mask; rest > 0; rest &= rest - 1) count++;
  return count;
});

const viewOf = (block: Uint8Array) => new DataView(block.buffer, block.byteOffset, block.byteLength);
const rowBytes = (mask: number) => HEAD_BYTES + 8 * (BITS[mask] as number);

/** The place of each unit, by its number after the least one. Rows of former units have none: -1. */
function placesOf({ numbers }: ShardUnits): { least: number; places: Int32Array } {
  let [least, most] = [numbers[0] ?? 0, -1];
  for (const number of numbers) {
    if (number < least) least = number;
    if (number > most) most = number;
  }
  const places = new Int32Array(Math.max(0, most - least + 1)).fill(-1);
  for (let place = 0; place < numbers.length; place++) places[(numbers[place] as number) - least] = place;
  return { least, places };
}

/** The days of a shard's units, with the amounts that arrived on different days put together. */
export function readUnitDays({ units, blocks }: Shard, terms: readonly Pick<Term, "fold">[]): UnitDays {
  const { least, places } = placesOf(units);
  const views = blocks.map(viewOf);
  const count = units.numbers.length;
  const starts = new Int32Array(count + 1);
  for (const view of views)
    for (let at = 0; at < view.byteLength; at += rowBytes(view.getUint16(at + 6))) {
      const place = places[view.getInt32(at) - least] ?? -1;
      if (place >= 0) starts[place + 1] = (starts[place + 1] as number) + 1;
    }
  for (let place = 0; place < count; place++) starts[place + 1] = (starts[place + 1] as number) + (starts[place] as number);
  const total = starts[count] as number;
  const width = terms.length;
  const codes = new Int32Array(total);
  const amounts = new Float64Array(total * width).fill(Number.NaN);
  const next = starts.slice();
  for (const view of views)
    for (let at = 0; at < view.byteLength; ) {
      const mask = view.getUint16(at + 6);
      const place = places[view.getInt32(at) - least] ?? -1;
      if (place >= 0) {
        const row = next[place] as number;
        next[place] = row + 1;
        codes[row] = view.getUint16(at + 4) - 2 * DAY_OFFSET;
        let from = at + HEAD_BYTES;
        for (let term = 0; term < width; term++) {
          if ((mask & (1 << term)) === 0) continue;
          amounts[row * width + term] = view.getFloat64(from);
          from += 8;
        }
      }
      at += rowBytes(mask);
    }
  return merged({ units, starts, codes, amounts }, terms);
}

/** Orders the days of each unit, and folds equal ones. */
function merged(days: UnitDays, terms: readonly Pick<Term, "fold">[]): UnitDays {
  const { starts, codes, amounts, units } = days;
  const width = terms.length;
  const count = units.numbers.length;
  const folds = terms.map(({ fold }) => fold.by);
  const moved = new Float64Array(width);
  let written = 0;
  for (let unit = 0; unit < count; unit++) {
    const begin = starts[unit] as number;
    const end = starts[unit + 1] as number;
    starts[unit] = written;
    // Blocks are in the order of arrival, so nearly all rows are in theirs.
    for (let row = begin + 1; row < end; row++) {
      const key = orderOf(codes[row] as number);
      if (orderOf(codes[row - 1] as number) <= key) continue;
      const code = codes[row] as number;
      moved.set(amounts.subarray(row * width, (row + 1) * width));
      let to = row;
      for (; to > begin && orderOf(codes[to - 1] as number) > key; to--) {
        codes[to] = codes[to - 1] as number;
        amounts.copyWithin(to * width, (to - 1) * width, to * width);
      }
      codes[to] = code;
      amounts.set(moved, to * width);
    }
    const own = written;
    for (let row = begin; row < end; row++) {
      if (written > own && codes[written - 1] === codes[row]) {
        for (let term = 0; term < width; term++) {
          const at = (written - 1) * width + term;
          amounts[at] = foldAmounts(folds[term], amounts[at] as number, amounts[row * width + term] as number);
        }
        continue;
      }
      if (written < row) {
        codes[written] = codes[row] as number;
        amounts.copyWithin(written * width, row * width, (row + 1) * width);
      }
      written++;
    }
  }
  starts[count] = written;
  return days;
}

/** Days before the exposure come first. */
const orderOf = (code: number): number => ((code & 1) === 1 ? code - 2 ** 20 : code);

/** NaN is no amount. */
export function foldAmounts(by: string | undefined, before: number, now: number): number {
  if (Number.isNaN(now)) return before;
  if (Number.isNaN(before)) return now;
  switch (by) {
    case "sum":
      return before + now;
    case "min":
      return Math.min(before, now);
    default:
      return Math.max(before, now);
  }
}

/** The rows of a block that are not a unit's; the block itself if none is. */
export function withoutUnit(block: Uint8Array, number: number): Uint8Array {
  const view = viewOf(block);
  const kept: Uint8Array[] = [];
  for (let at = 0; at < view.byteLength; ) {
    const end = at + rowBytes(view.getUint16(at + 6));
    if (view.getInt32(at) !== number) kept.push(block.subarray(at, end));
    at = end;
  }
  const rest = Buffer.concat(kept);
  return rest.byteLength === block.byteLength ? block : rest;
}
