import type { RandomProject } from "../random-project/random-project.ts";

/** The maximum number of smaller cases to try. */
const MAX_ATTEMPTS = 300;

/** A failing case that is minimal: removing any single call, rule, condition, field or user makes it pass. */
export async function minimize(failing: RandomProject, fails: (project: RandomProject) => Promise<boolean>): Promise<RandomProject> {
  let smallest = failing;
  let attempts = 0;
  for (let isSmaller = true; isSmaller && attempts < MAX_ATTEMPTS; ) {
    isSmaller = false;
    for (const candidate of smallerCases(smallest)) {
      attempts += 1;
      if (attempts > MAX_ATTEMPTS) break;
      if (!(await fails(candidate))) continue;
      smallest = candidate;
      isSmaller = true;
      break;
    }
  }
  return smallest;
}

function* smallerCases(project: RandomProject): Generator<RandomProject> {
  const { calls, users } = project;
  // Later calls depend on earlier ones, so removal starts at the end.
  for (const index of calls.keys()) yield { ...project, calls: calls.toSpliced(calls.length - 1 - index, 1) };
  yield* smaller(calls).map((fewer) => ({ ...project, calls: fewer }));
  yield* smaller(users).map((fewer) => ({ ...project, users: fewer }));
  yield { ...project, tier: undefined };
  yield { ...project, key: { environments: [], targetApps: [] } };
}

/** The value without one item or field, at any depth. */
function smaller<T>(value: T): T[] {
  if (Array.isArray(value)) {
    const without = value.map((_, index) => value.toSpliced(index, 1));
    return [...without, ...value.flatMap((item, index) => smaller(item).map((less) => value.with(index, less)))] as T[];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([field, inner]) => {
    const { [field]: _, ...rest } = value as Record<string, unknown>;
    return [rest, ...smaller(inner).map((less) => ({ ...value, [field]: less }))] as T[];
  });
}
