/** CPU time of the reference work on the machine that the limits were set on, ms. */
const REFERENCE_MS = 13;
const TEXT = JSON.stringify(
  Array.from({ length: 20_000 }, (_, index) => ({ id: `gate_${index}`, rules: [{ passPercentage: index % 100 }] })),
);

/** CPU time of this process during some work, ms. */
async function measureCpu(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** 1 on a machine that is at least as fast as the reference, 2 on one that is half as fast or loaded. */
async function slowness(): Promise<number> {
  const spent = await measureCpu(() => JSON.stringify(JSON.parse(TEXT)));
  return Math.max(1, spent / REFERENCE_MS);
}

/**
 * CPU time of some work, scaled to the reference machine, ms. Repeats while the time is above the limit, and returns the minimum.
 * Measures the machine's speed with each attempt, since load slows down single attempts.
 */
export async function cpuCost(work: () => Promise<unknown>, limit: number, attempts = 8): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts && least > limit; attempt++) {
    const before = await slowness();
    const spent = await measureCpu(work);
    least = Math.min(least, spent / ((before + (await slowness())) / 2));
  }
  return least;
}
