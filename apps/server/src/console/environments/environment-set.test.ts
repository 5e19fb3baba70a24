import { describe, expect, test } from "vitest";
import { defaultEnvironments, replaceEnvironments } from "./environment-set.ts";

const plain = { isProduction: false, requiresReview: false, requiresReleasePipeline: false };

describe("replaceEnvironments", () => {
  const set = { environments: [{ id: "d", name: "dev", ...plain, requiredReviewGroupID: "leads" }], version: 4 };

  test("a review group that is left out is kept, and null removes it", () => {
    expect(replaceEnvironments(set, [{ id: "d", name: "dev", ...plain }]).environments).toEqual(set.environments);
    expect(replaceEnvironments(set, [{ id: "d", name: "dev", ...plain, requiredReviewGroupID: null }]).environments).toEqual([
      { id: "d", name: "dev", ...plain },
    ]);
  });

  test("two environments may exchange their names", () => {
    const { environments } = defaultEnvironments();
    const [one, two] = environments as [(typeof environments)[0], (typeof environments)[0]];
    const renamed = [
      { ...one, name: two.name },
      { ...two, name: one.name },
    ];
    expect(replaceEnvironments({ environments, version: 1 }, renamed)).toEqual({ environments: renamed, version: 2 });
  });
});
