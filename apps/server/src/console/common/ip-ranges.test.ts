import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addressPattern, rangesError } from "./ip-ranges.ts";

const toNumber = (octets: readonly number[]) => octets.reduce((sum, octet) => sum * 256 + octet, 0);
const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));

describe("addressPattern", () => {
  test("matches the addresses of a range and no others", () => {
    fc.assert(
      fc.property(octets, fc.nat(32), octets, fc.nat(2 ** 10), (base, bits, other, offset) => {
        const pattern = new RegExp(addressPattern([`${base.join(".")}/${bits}`]));
        const size = 2 ** (32 - bits);
        const first = toNumber(base) - (toNumber(base) % size);
        // Addresses around the ends of the range, and any address.
        for (const number of [first - 1, first, first + size - 1, first + size, first + offset, toNumber(other)]) {
          if (number < 0 || number >= 2 ** 32) continue;
          const address = [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join(".");
          expect([address, pattern.test(address)]).toEqual([address, number >= first && number < first + size]);
        }
      }),
    );
  });

  test("matches listed addresses whole, in any case", () => {
    const pattern = new RegExp(addressPattern(["10.0.0.0/8", "2001:db8::A", "1.2.3.4"]));
    expect(["10.1.2.3", "2001:DB8::a", "1.2.3.4"].map((address) => pattern.test(address))).toEqual([true, true, true]);
    expect(["110.1.2.3", "10.1.2", "1.2.3.45", "1a2.3.4", ""].map((address) => pattern.test(address))).toEqual(Array(5).fill(false));
  });
});

describe("rangesError", () => {
  test.each(["2001:db8::/32", "10.0.0.0/33", "10.0.0/8", "300.0.0.0/8", "10.0.0.0/", "/8"])("refuses the range %s", (range) => {
    expect(rangesError(["1.2.3.4", range])).toBe(`must have IPv4 ranges only, such as 10.0.0.0/8. SDKs can't match the range ${range}`);
  });

  test("refuses more than a pattern can have, but only if there are ranges", () => {
    const addresses = Array.from({ length: 100 }, (_, index) => `192.168.100.${index}`);
    expect(rangesError(addresses)).toBeUndefined();
    expect(rangesError(["10.0.0.0/8", "192.168.0.0/20", "1.2.3.4"])).toBeUndefined();
    expect(rangesError([...addresses, "10.0.0.0/8"])).toBe(
      "has more ranges and addresses than SDKs can compare at once. Split them into several rules or segments",
    );
  });
});
