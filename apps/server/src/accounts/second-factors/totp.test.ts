import { expect, test } from "vitest";
import { findStep, randomTotpSecret, toTotpUri } from "./totp.ts";

/** The ASCII secret 12345678901234567890 of RFC 6238, in base32. */
const SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

test.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
])("at %d s the code is that of RFC 6238, appendix B: %s", (seconds, code) => {
  expect(findStep(SECRET, code, seconds * 1_000)).toBe(Math.floor(seconds / 30));
});

test("a code works one step early and one step late, and no further", () => {
  const step = 1_111_111_110_000;
  const at = (now: number) => findStep(SECRET, "050471", now);
  expect([at(step - 30_001), at(step - 30_000), at(step), at(step + 59_999), at(step + 60_000)]).toEqual([
    undefined,
    37_037_037,
    37_037_037,
    37_037_037,
    undefined,
  ]);
});

test("a secret has 160 bits, and its URI names the account", () => {
  const secret = randomTotpSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  const uri = `otpauth://totp/Gatehouse:ada%40example.com?issuer=Gatehouse&secret=${secret}&algorithm=SHA1&digits=6&period=30`;
  expect(toTotpUri(secret, "ada@example.com")).toBe(uri);
});
