import type { Segment } from "../../charts/buckets.ts";

type Allocated = { id: string; name: string; userBuckets: readonly number[] };

/** The buckets of experiments as ranges. Adjacent buckets are one range. */
export function toSegments(experiments: readonly Allocated[]): Segment[] {
  return experiments.flatMap(({ id, name, userBuckets }) => {
    const ranges: Segment[] = [];
    for (const bucket of userBuckets.toSorted((a, b) => a - b)) {
      const last = ranges.at(-1);
      if (last?.to === bucket) last.to += 1;
      else ranges.push({ id, label: name, from: bucket, to: bucket + 1 });
    }
    return ranges;
  });
}
