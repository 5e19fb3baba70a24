import { BlockList, isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** A compiled list of addresses and ranges. */
export type AddressList = { includes(address: string): boolean };

/** The bytes of an IPv4 or IPv6 address, and the number of leading bits that are fixed. */
type Range = { bytes: number[]; prefix: number };

const MAPPED_PREFIX = 96;
const RANGE_PATTERN = /^([\d.:a-f]+)(?:\/(0|[1-9]\d{0,2}))?$/i;

/**
 * Parses an address or a range in CIDR notation. IPv4-mapped IPv6 addresses are read as IPv4.
 * @returns its canonical form, or the reason why it is refused
 */
export function readAddressRange(text: string): { range: string } | { error: string } {
  const given = parse(text);
  if (given === undefined) return { error: "must be an IPv4 or IPv6 address, or a range such as 10.0.0.0/8" };
  const first = { bytes: firstBytes(given), prefix: given.prefix };
  if (toText(first) === toText(given)) return { range: toText(first) };
  const address = toText({ ...given, prefix: given.bytes.length * 8 });
  return { error: `must be ${toText(first)}, or ${address} alone: ${text} has bits after its prefix that are not zero` };
}

/** @param ranges in canonical form */
export function compileAddresses(ranges: readonly string[]): AddressList {
  // A single list for both families would match IPv4 addresses with ranges such as ::/0.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const range of ranges) {
    const [address = "", prefix] = range.split("/");
    const family = getFamily(address);
    if (prefix === undefined) lists[family].addAddress(address, family);
    else lists[family].addSubnet(address, Number(prefix), family);
  }
  return {
    includes(address) {
      const family = getFamily(address);
      return lists[family].check(address, family);
    },
  };
}

/** Whether every address of `inner` is in a range of `outer`. Both are in canonical form. */
export function areWithin(inner: readonly string[], outer: readonly string[]): boolean {
  const ranges = outer.map(parse).filter((one) => one !== undefined);
  return inner.map(parse).every((one) => one !== undefined && ranges.some((range) => isWithin(one, range)));
}

function parse(text: string): Range | undefined {
  const [, address = "", length] = RANGE_PATTERN.exec(text) ?? [];
  if (isIP(address) === 0) return undefined;
  const bytes = ipaddr.parse(address).toByteArray();
  const prefix = length === undefined ? bytes.length * 8 : Number(length);
  if (prefix > bytes.length * 8) return undefined;
  const isMapped = prefix >= MAPPED_PREFIX && ipaddr.process(address).kind() === "ipv4" && bytes.length === 16;
  return isMapped ? { bytes: bytes.slice(MAPPED_PREFIX / 8), prefix: prefix - MAPPED_PREFIX } : { bytes, prefix };
}

/** The bytes of the first address of a range. */
function firstBytes({ bytes, prefix }: Range): number[] {
  return bytes.map((byte, index) => byte & (0xff00 >> Math.min(8, Math.max(0, prefix - index * 8))) & 0xff);
}

function isWithin(inner: Range, { bytes, prefix }: Range): boolean {
  if (inner.bytes.length !== bytes.length || inner.prefix < prefix) return false;
  return firstBytes({ bytes: inner.bytes, prefix }).every((byte, index) => byte === bytes[index]);
}

function toText({ bytes, prefix }: Range): string {
  const address = ipaddr.fromByteArray(bytes).toString();
  return prefix === bytes.length * 8 ? address : `${address}/${prefix}`;
}

function getFamily(address: string): "ipv4" | "ipv6" {
  return address.includes(":") ? "ipv6" : "ipv4";
}
