import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bucket, createEvaluator, hashID, hashName } from "../src/index.ts";
import { condition, gate, rule, ruleset } from "./support/ruleset.ts";

/** As the SDKs define it. */
const reference = (text: string, buckets: number) => Number(createHash("sha256").update(text).digest().readBigUInt64BE() % BigInt(buckets));

describe("bucket", () => {
  test("is the first eight bytes of SHA-256, modulo the number of buckets", () => {
    expect(bucket("", 10_000)).toBe(Number(0xe3b0c44298fc1c14n % 10_000n));
    expect(bucket("blargh", 10_000)).toBe(Number(0x0ac33512d18e20d5n % 10_000n));
    expect(bucket("unicode 🗻", 1000)).toBe(Number(0xd460740c12959d83n % 1000n));
  });

  test("agrees with arithmetic on big integers for every text and number of buckets", () => {
    const text = fc.string({ unit: "binary", maxLength: 100 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 2 ** 20 }), (text, buckets) => {
        expect(bucket(text, buckets)).toBe(reference(text, buckets));
      }),
    );
  });

  test("is the same with a SHA-256 that is given", () => {
    const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
    const half = condition("user_bucket", { additionalValues: { salt: "salt" }, operator: "lt", targetValue: 500 });
    const rules = [rule("r", { passPercentage: 33.33, conditions: [half] })];
    const evaluators = [undefined, sha256].map((given) =>
      createEvaluator(ruleset({ feature_gates: [gate("g", rules)] }), given && { sha256: given }),
    );
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (userID) => {
        const [own, given] = evaluators.map((evaluator) => evaluator.gate("g", { userID }));
        expect(given).toEqual(own);
      }),
    );
  });

  test("takes texts longer than what it keeps room for", () => {
    for (const length of [341, 342, 1024, 5000]) expect(bucket("ü".repeat(length), 10_000)).toBe(reference("ü".repeat(length), 10_000));
  });
});

describe("hashName", () => {
  test("is an unsigned number in decimal for djb2", () => {
    expect(hashName("my_gate", "djb2")).toBe("1508680574");
    expect(hashName("always_on_gate", "djb2")).toBe("2172880123");
    expect(hashName("", "djb2")).toBe("0");
  });

  test("is base64 for sha256, and the name itself for none", () => {
    expect(hashName("my_gate", "sha256")).toBe(createHash("sha256").update("my_gate").digest("base64"));
    expect(hashName("my_gate", "none")).toBe("my_gate");
  });
});

test("hashID is the first eight characters of the SHA-256 in base64", () => {
  for (const id of ["", "user_1", "ü🗻"]) expect(hashID(id)).toBe(createHash("sha256").update(id).digest("base64").slice(0, 8));
});
