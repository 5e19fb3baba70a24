// The table of the highest rates, with latencies and memory.

const MEMORY_TARGET_MB = 300;
const EVENT_MEMORY_TARGET_MB = 400;
const HEADS = ["bare/s", "ours/s", "ratio", "target", "p50 ms", "p99 ms", "50%: p50", "p99 ms", "MB most", "MB after"];

/** @param rows of `measureKind` */
export function printTable(rows) {
  const line = (first, cells) => process.stdout.write(`${first.padEnd(34)}${cells.map((cell) => String(cell).padStart(10)).join("")}\n`);
  line("", HEADS);
  for (const { title, target, bare, ours, half, memory, ratio } of rows) {
    const reference = bare
      ? [bare.rate.toFixed(0), ours.rate.toFixed(0), ratio.toFixed(2), target]
      : ["", ours.rate.toFixed(0), "", target];
    line(title, [...reference, ours.p50, ours.p99, half.p50, half.p99, memory.peak, memory.after]);
  }
  const after = Math.max(...rows.map(({ memory }) => memory.after));
  const events = rows.find(({ kind }) => kind === "logEvents")?.memory.peak;
  process.stdout.write(`\nresident memory after each load at most ${after} MB (≤ ${MEMORY_TARGET_MB})`);
  process.stdout.write(events === undefined ? "\n" : `, while events come at most ${events} MB (≤ ${EVENT_MEMORY_TARGET_MB})\n`);
}
