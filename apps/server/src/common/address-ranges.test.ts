import { describe, expect, test } from "vitest";
import { areWithin, compileAddresses, readAddressRange } from "./address-ranges.ts";

const FORM = "must be an IPv4 or IPv6 address, or a range such as 10.0.0.0/8";

describe("an address or a range", () => {
  test.each([
    ["10.0.0.7", "10.0.0.7"],
    ["10.0.0.7/32", "10.0.0.7"],
    ["10.0.0.0/8", "10.0.0.0/8"],
    ["10.128.0.0/9", "10.128.0.0/9"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["2001:DB8:0:0::1", "2001:db8::1"],
    ["2001:db8::/32", "2001:db8::/32"],
    ["2001:db8::1/128", "2001:db8::1"],
    ["::/0", "::/0"],
    ["::ffff:10.0.0.7", "10.0.0.7"],
    ["::ffff:a00:7", "10.0.0.7"],
    ["::ffff:10.0.0.0/104", "10.0.0.0/8"],
    ["::ffff:0:0/96", "0.0.0.0/0"],
  ])("%s is stored as %s", (text, range) => {
    expect(readAddressRange(text)).toEqual({ range });
  });

  test.each([
    "",
    "example.com",
    "10.0.0",
    "10.0.0.256",
    "010.0.0.1",
    "0x0a.0.0.1",
    "10.0.0.0/33",
    "10.0.0.0/08",
    "10.0.0.0/-1",
    "10.0.0.0/8/8",
    "10.0.0.7:443",
    "[2001:db8::1]",
    "fe80::1%eth0",
    "2001:db8::/129",
    " 10.0.0.7",
    "loopback",
  ])("%j is refused", (text) => {
    expect(readAddressRange(text)).toEqual({ error: FORM });
  });

  test.each([
    ["10.1.2.3/8", "10.0.0.0/8", "10.1.2.3"],
    ["192.168.1.1/23", "192.168.0.0/23", "192.168.1.1"],
    ["2001:db8::1/32", "2001:db8::/32", "2001:db8::1"],
    ["::ffff:10.1.2.3/104", "10.0.0.0/8", "10.1.2.3"],
    ["::ffff:0:0/95", "::fffe:0:0/95", "::ffff:0:0"],
  ])("%s is refused, and the error names the range %s", (text, range, address) => {
    const error = `must be ${range}, or ${address} alone: ${text} has bits after its prefix that are not zero`;
    expect(readAddressRange(text)).toEqual({ error });
  });
});

describe("a list of addresses and ranges", () => {
  test("includes its addresses and every address of its ranges, only of the same family", () => {
    const list = compileAddresses(["10.0.0.0/8", "192.0.2.7", "2001:db8::/32", "::1"]);
    const included = ["10.0.0.0", "10.255.255.255", "192.0.2.7", "2001:db8:ffff::1", "::1"];
    const others = ["9.255.255.255", "11.0.0.0", "192.0.2.8", "2001:db9::", "::2", "", "unknown"];
    expect(included.filter((address) => !list.includes(address))).toEqual([]);
    expect(others.filter((address) => list.includes(address))).toEqual([]);
    expect(compileAddresses(["::/0"]).includes("10.0.0.7")).toBe(false);
    expect(compileAddresses(["0.0.0.0/0"]).includes("2001:db8::1")).toBe(false);
  });

  test("is within another list if each of its ranges is part of a range in that list", () => {
    const outer = ["10.0.0.0/8", "2001:db8::/32"];
    expect(areWithin(["10.1.0.0/16", "10.0.0.7", "2001:db8::1"], outer)).toBe(true);
    expect(areWithin(["10.0.0.0/8"], outer)).toBe(true);
    expect(areWithin(["10.0.0.0/7"], outer)).toBe(false);
    expect(areWithin(["10.0.0.7", "11.0.0.7"], outer)).toBe(false);
    expect(areWithin(["::/0"], ["0.0.0.0/0"])).toBe(false);
  });
});
