import { expect, test } from "vitest";
import { adviceOnPlace } from "./ip-ranges.ts";
import type { Condition } from "./types.ts";

test.each<[Condition, string | undefined]>([
  [
    { type: "ip_address", operator: "any", targetValue: ["192.0.2.1", "10.0.0.0/8"] },
    "IPv4 ranges work in every SDK: they’re sent as a pattern.",
  ],
  [
    { type: "ip_address", operator: "any", targetValue: ["2001:db8::1", "10.0.0.0/8"] },
    "SDKs compare IPv6 addresses as text. List every spelling, or use “starts with any of”.",
  ],
  [{ type: "ip_address", operator: "any", targetValue: ["192.0.2.1"] }, undefined],
  [
    { type: "country", operator: "any", targetValue: ["NO"] },
    "SDKs can’t look up the country of an IPv6 address. Send the field “country” for these users.",
  ],
  [{ type: "custom_field", field: "path", operator: "any", targetValue: ["a/b::c"] }, undefined],
])("a condition %j says what SDKs do with it", (condition, advice) => {
  expect(adviceOnPlace(condition)).toBe(advice);
});
