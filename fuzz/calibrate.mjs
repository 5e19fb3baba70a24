// Measures the speed of this machine by the CPU time of work that resembles a server's: JSON, strings and objects.

/** CPU time of the work on the machine that the limits were set on, ms. */
const REFERENCE_MS = 100;
const ROUNDS = 5;
const TEXT = JSON.stringify(
  Array.from({ length: 6_000 }, (_, index) => ({ id: `gate_${index}`, rules: [{ name: "a", passPercentage: index % 100 }] })),
);

/** 1 on a machine that is at least as fast as the reference, 2 on one that is half as fast. */
export function measureSlowness() {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    for (let index = 0; index < 12; index++) JSON.stringify(JSON.parse(TEXT).toSorted((left, right) => (left.id < right.id ? -1 : 1)));
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return Math.max(1, least / REFERENCE_MS);
}
