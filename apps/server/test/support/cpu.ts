/** CPU time of the reference on the machine on which the limits were set, ms. */
const REFERENCE_MS = 13;
const TEXT = JSON.stringify(
  Array.from({ length: 20_000 }, (_, index) => ({ id: `gate_${index}`, rules: [{ passPercentage: index % 100 }] })),
);

/** CPU time that this process spends while something is done, ms. */
async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** 1 on a machine as fast as the reference or faster, 2 on one that is half as fast or as busy. */
async function slowness(): Promise<number> {
  const spent = await cpuOf(() => JSON.stringify(JSON.parse(TEXT)));
  return Math.max(1, spent / REFERENCE_MS);
}

/**
 * CPU time of some work as it would be on the reference machine, ms: the least of several attempts while it is above the limit, each
 * measured beside the reference, since a busy machine makes single ones slow.
 */
export async function cpuCost(work: () => Promise<unknown>, limit: number, attempts = 4): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts && least > limit; attempt++) {
    const before = await slowness();
    const spent = await cpuOf(work);
    least = Math.min(least, spent / ((before + (await slowness())) / 2));
  }
  return least;
}
