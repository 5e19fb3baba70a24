/** A change of the pass percentage (0 to 100) at a time, in milliseconds since the epoch. */
export type RolloutStep = { time: number; passPercent: number };

/** `due`: the server has not carried out a step whose time has passed. */
export type RolloutPoint = RolloutStep & { state: "done" | "now" | "due" | "planned" };

export type RolloutLine = {
  /** All steps by time, with the present among them. */
  points: RolloutPoint[];
  start: number;
  end: number;
};

const MIN_RANGE_MS = 3_600_000;
/** The part of the range that stays free on either side. */
const MARGIN = 0.06;

/** The course of a rollout: completed steps, the current percentage, and planned steps. A step that is due follows the present. */
export function rolloutLine({
  done,
  pending,
  passPercentage,
  now,
}: {
  done: readonly RolloutStep[];
  pending: readonly RolloutStep[];
  passPercentage: number;
  now: number;
}): RolloutLine {
  const points: RolloutPoint[] = [
    ...byTime(done).map((step) => ({ ...step, state: "done" as const })),
    { time: now, passPercent: passPercentage, state: "now" },
    ...byTime(pending).map((step) => ({ ...step, state: step.time <= now ? ("due" as const) : ("planned" as const) })),
  ];
  const times = points.map(({ time }) => time);
  const first = Math.min(...times);
  const last = Math.max(...times, first + MIN_RANGE_MS);
  const margin = (last - first) * MARGIN;
  return { points, start: first - margin, end: last + margin };
}

/** The place of each point: a due one is drawn at the present. */
export const drawnTime = ({ state, time }: RolloutPoint, now: number): number => (state === "due" ? now : time);

/** Whether the percentage differs from the last step, which means that someone has set it since. */
export function isSetByHand(done: readonly RolloutStep[], passPercentage: number): boolean {
  const last = byTime(done).at(-1);
  return last !== undefined && last.passPercent !== passPercentage;
}

const byTime = (steps: readonly RolloutStep[]): RolloutStep[] => steps.toSorted((one, other) => one.time - other.time);

/** The path of a line that keeps each value until the next point, px. */
export function stepPath(points: readonly { x: number; y: number }[], endX: number): string {
  const [first, ...others] = points;
  if (first === undefined) return "";
  return `M${round(first.x)},${round(first.y)}${others.map(({ x, y }) => `H${round(x)}V${round(y)}`).join("")}H${round(endX)}`;
}

const round = (value: number): number => Math.round(value * 10) / 10;
