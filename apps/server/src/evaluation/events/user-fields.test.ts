import { describe, expect, test } from "vitest";
import { toUserFields } from "./user-fields.ts";

const parsed = (user: Record<string, unknown>) => JSON.parse(toUserFields(user) ?? "null");

describe("toUserFields", () => {
  test("keeps what rules read, and neither ids, environment, private attributes nor unknown fields", () => {
    const fields = { email: "a@example.com", ip: "203.0.113.7", userAgent: "curl", country: "CH", locale: "de", appVersion: "1.2" };
    const custom = { plan: "pro", seats: 3, tags: ["a"], nested: { b: true }, gone: null };
    const ids = { userID: "a", customIDs: { orgID: "x" }, statsigEnvironment: { tier: "t" }, privateAttributes: { secret: 1 }, other: 2 };
    expect(toUserFields({ ...ids, custom, ...fields })).toBe(JSON.stringify({ ...fields, custom }));
  });

  test("is null for a user without such fields", () => {
    for (const user of [
      undefined,
      null,
      {},
      { userID: "a" },
      { email: null, custom: null },
      { custom: {} },
      { custom: [1] },
      { custom: "x" },
    ])
      expect(toUserFields(user)).toBeNull();
  });

  test("leaves out whole what does not fit into 4 KiB, known fields first", () => {
    const user = { custom: { long: "x".repeat(3_000), longer: "y".repeat(2_000), short: 1 }, email: "e".repeat(1_000) };
    expect(parsed(user)).toEqual({ email: user.email, custom: { long: user.custom.long, short: 1 } });
    expect(parsed({ email: "e".repeat(5_000), ip: "::1" })).toEqual({ ip: "::1" });
  });

  test("is never longer than 4 KiB of UTF-8", () => {
    for (let size = 4_050; size < 4_110; size++) {
      const texts = [toUserFields({ email: "e".repeat(size) }), toUserFields({ locale: "de", custom: { a: "x".repeat(size) } })];
      for (const text of texts) expect(Buffer.byteLength(text ?? "")).toBeLessThanOrEqual(4_096);
    }
    expect(parsed({ custom: { wide: "ü".repeat(2_100), b: 1 } })).toEqual({ custom: { b: 1 } });
  });

  test("leaves out what the database cannot store", () => {
    const custom = { zero: "a\0", half: ["\ud800"], "name\udc00": 1, infinite: JSON.parse("1e999"), deep: [{ a: ["\0"] }], fine: "é" };
    expect(parsed({ email: "\0", custom })).toEqual({ custom: { fine: "é" } });
  });
});
