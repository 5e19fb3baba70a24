import { scaleLinear, scaleTime, scaleUtc } from "d3-scale";
import { clock, day, month, type Zone } from "../ui/time-text.ts";
import { compact, signed } from "./format.ts";

/** `anchor` keeps a label at an end of the axis inside it. */
export type Tick = { at: number; label: string; anchor?: "start" | "middle" | "end" };
export type Scale = (value: number) => number;

/** The width of a character of an axis at the small text size, px. An estimate from above, so that labels do not collide. */
export const CHARACTER_PX = 7.5;
/** The least distance of two labels, px. */
const LABEL_GAP_PX = 14;
const PIXELS_PER_VALUE_TICK = 44;

/** An axis of counts from 0 to a round number that is at least `max`, with whole numbers only. */
export function countAxis(max: number, height: number): { scale: Scale; ticks: Tick[]; max: number } {
  const count = Math.max(2, Math.round(height / PIXELS_PER_VALUE_TICK));
  const linear = scaleLinear()
    .domain([0, Math.max(1, max)])
    .nice(count)
    .range([height, 0]);
  const ticks = linear.ticks(count).filter((value) => Number.isInteger(value));
  return { scale: linear, ticks: ticks.map((value) => ({ at: linear(value), label: compact(value) })), max: linear.domain()[1] ?? 1 };
}

/** An axis of percentages from 0 to 100. */
export function percentAxis(height: number): { scale: Scale; ticks: Tick[] } {
  const linear = scaleLinear().domain([0, 100]).range([height, 0]);
  const values = height < 90 ? [0, 100] : height < 150 ? [0, 50, 100] : [0, 25, 50, 75, 100];
  return { scale: linear, ticks: values.map((value) => ({ at: linear(value), label: `${value}%` })) };
}

export type ValueAxis = { scale: Scale; ticks: Tick[] };

/** An axis of changes in percent, with both signs, that has 0 and every value. */
export const changeAxis = (values: readonly number[], height: number): ValueAxis =>
  axisWithZero(values, height, (value) => `${signed(value)}%`);

/** An axis of any numbers, that has 0 and every value. */
export const numberAxis = (values: readonly number[], height: number): ValueAxis => axisWithZero(values, height, compact);

/** An axis whose labels are written by the caller, that has 0 and every value. */
export const axisOf =
  (formatLabel: (value: number) => string) =>
  (values: readonly number[], height: number): ValueAxis =>
    axisWithZero(values, height, formatLabel);

function axisWithZero(values: readonly number[], height: number, formatLabel: (value: number) => string): ValueAxis {
  const count = Math.max(2, Math.round(height / PIXELS_PER_VALUE_TICK));
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const linear = scaleLinear()
    .domain(low === high ? [-1, 1] : [low, high])
    .nice(count)
    .range([height, 0])
    .clamp(true);
  return { scale: linear, ticks: linear.ticks(count).map((value) => ({ at: linear(value), label: formatLabel(value) })) };
}

/** An axis of time with as many labels as fit. Ticks are at round times of the zone, and none is finer than `unit`. */
export function timeAxis(
  start: number,
  end: number,
  width: number,
  { zone, unit }: { zone: Zone; unit?: "hour" | "day" },
): { scale: Scale; ticks: Tick[] } {
  const linear = (zone === "utc" ? scaleUtc() : scaleTime()).domain([start, end]).range([0, width]);
  for (let count = Math.max(1, Math.floor(width / 64)); count > 0; count -= 1) {
    const times = linear
      .ticks(count)
      .map(Number)
      .filter((time) => unit === undefined || clock(time, zone).endsWith(unit === "day" ? "00:00" : ":00"));
    const ticks = times.map((time) => anchored(linear(time), timeLabel(time, times, zone), width));
    // The last label may be too near to the one before it, since it ends with the axis.
    const fitting = [ticks, ticks.slice(0, -1)].find((some) => some.length > 0 && areApart(some));
    if (fitting !== undefined) return { scale: linear, ticks: fitting };
  }
  return { scale: linear, ticks: [] };
}

/** An axis of numbered days, with whole numbers only and as many labels as fit. */
export function numberedAxis(first: number, last: number, width: number, least = 1): { scale: Scale; ticks: Tick[] } {
  const linear = scaleLinear().domain([first, last]).range([0, width]);
  for (let count = Math.max(1, Math.floor(width / 64)); count > 0; count -= 1) {
    const days = linear.ticks(count).filter((day) => Number.isInteger(day) && day >= least);
    const ticks = days.map((day) => anchored(linear(day), `Day ${day}`, width));
    if (ticks.length > 0 && areApart(ticks)) return { scale: linear, ticks };
  }
  return { scale: linear, ticks: [] };
}

/** Midnights are days, first days of months among such are months, and everything else is a time of day. */
function timeLabel(time: number, all: readonly number[], zone: Zone): string {
  if (all.every((one) => isMonthStart(one, zone))) return month(time, zone);
  return clock(time, zone) === "00:00" ? day(time, zone) : clock(time, zone);
}

function isMonthStart(time: number, zone: Zone): boolean {
  const at = new Date(time);
  return clock(time, zone) === "00:00" && (zone === "utc" ? at.getUTCDate() : at.getDate()) === 1;
}

/** A label that is centred at its tick, or ends with the axis where it would leave it. */
export function anchored(at: number, label: string, width: number): Tick {
  const half = (label.length * CHARACTER_PX) / 2;
  return { at, label, anchor: at < half ? "start" : at > width - half ? "end" : "middle" };
}

/** Start and end of a label, px. */
export function extent({ at, label, anchor = "middle" }: Tick): [from: number, to: number] {
  const length = label.length * CHARACTER_PX;
  const from = anchor === "start" ? at : anchor === "end" ? at - length : at - length / 2;
  return [from, from + length];
}

/** Whether neighboring labels are apart by a gap, px. */
export function areApart(ticks: readonly Tick[], gap = LABEL_GAP_PX): boolean {
  return ticks.every((tick, index) => {
    const next = ticks[index + 1];
    return next === undefined || extent(next)[0] - extent(tick)[1] >= gap;
  });
}

/** Whether each label has room. A label with a lower rank goes first. */
export function withRoom(labels: readonly (Tick & { rank: number })[], gap: number): boolean[] {
  const shown = labels.map(() => false);
  const order = [...labels.keys()].sort((one, other) => (labels[one]?.rank ?? 0) - (labels[other]?.rank ?? 0));
  for (const index of order) {
    const label = labels[index];
    if (label === undefined) continue;
    const [from, to] = extent(label);
    shown[index] = labels.every((other, at) => {
      const [otherFrom, otherTo] = extent(other);
      return !shown[at] || from >= otherTo + gap || to <= otherFrom - gap;
    });
  }
  return shown;
}

/** The room that the labels of a vertical axis need, px. */
export const gutterWidth = (ticks: readonly Tick[]): number =>
  Math.ceil(Math.max(0, ...ticks.map(({ label }) => label.length)) * CHARACTER_PX) + 10;

/** Moves positions apart until each is `gap` from the next, keeping their order and staying within 0 and `max` if there is room. */
export function spread(positions: readonly number[], gap: number, max: number): number[] {
  const order = positions.map((_, index) => index).sort((one, other) => (positions[one] ?? 0) - (positions[other] ?? 0));
  const moved = [...positions];
  let least = 0;
  for (const index of order) {
    moved[index] = Math.max(least, moved[index] ?? 0);
    least = (moved[index] ?? 0) + gap;
  }
  let most = max;
  for (const index of order.reverse()) {
    moved[index] = Math.min(most, moved[index] ?? 0);
    most = (moved[index] ?? 0) - gap;
  }
  return moved;
}

/** The index of the position that is nearest to `at`. Positions ascend. */
export function nearest(positions: readonly number[], at: number): number {
  let low = 0;
  let high = positions.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    const [here = 0, next = 0] = positions.slice(middle, middle + 2);
    if (at <= (here + next) / 2) high = middle;
    else low = middle + 1;
  }
  return low;
}
