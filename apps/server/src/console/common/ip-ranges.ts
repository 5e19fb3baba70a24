import { shorten } from "../../common/place.ts";

/** SDKs never match longer patterns. In characters. */
const MAX_PATTERN_LENGTH = 999;
const BITS_OF_ADDRESS = 32;
const BITS_OF_OCTET = 8;
const RANGE = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/;

/** Whether an address or a range of addresses is a range. No address contains a slash. */
export function isRange(target: string): boolean {
  return target.includes("/");
}

/**
 * A pattern for exactly the given IPv4 ranges (CIDR, RFC 4632) and addresses. SDKs compare addresses as text and know no ranges.
 * @throws Error for a range that `rangesError` refuses
 */
export function addressPattern(targets: readonly string[]): string {
  return `^(?:${targets.map((target) => (isRange(target) ? rangePattern(target) : addressInAnyCase(target))).join("|")})$`;
}

/** Why ranges among the targets cannot be compiled to what SDKs know. */
export function rangesError(targets: readonly string[]): string | undefined {
  const wrong = targets.find((target) => isRange(target) && toOctets(target) === undefined);
  if (wrong !== undefined) return `must have IPv4 ranges only, such as 10.0.0.0/8. SDKs can't match the range ${shorten(wrong)}`;
  const isLong = targets.some(isRange) && addressPattern(targets).length > MAX_PATTERN_LENGTH;
  return isLong ? "has more ranges and addresses than SDKs can compare at once. Split them into several rules or segments" : undefined;
}

type Octets = { low: number; high: number }[];

/** The lowest and the highest value of each octet. Bits after the prefix do not count. */
function toOctets(range: string): Octets | undefined {
  const [, ...numbers] = RANGE.exec(range)?.map(Number) ?? [];
  const bits = numbers.pop();
  if (bits === undefined || bits > BITS_OF_ADDRESS || numbers.some((octet) => octet > 255)) return undefined;
  return numbers.map((octet, index) => {
    const fixed = Math.min(BITS_OF_OCTET, Math.max(0, bits - index * BITS_OF_OCTET));
    const size = 2 ** (BITS_OF_OCTET - fixed);
    const low = octet - (octet % size);
    return { low, high: low + size - 1 };
  });
}

function rangePattern(range: string): string {
  const octets = toOctets(range);
  if (!octets) throw new Error(`${range} is not an IPv4 range.`);
  return octets.map(({ low, high }) => (low === 0 && high === 255 ? "[0-9]+" : numberPattern(low, high))).join("\\.");
}

/** A pattern for the decimal numbers from `low` to `high`. */
function numberPattern(low: number, high: number): string {
  const parts: string[] = [];
  for (let ten = low - (low % 10); ten <= high; ten += 10) {
    const [first, last] = [Math.max(low, ten) % 10, Math.min(high, ten + 9) % 10];
    parts.push(`${ten === 0 ? "" : ten / 10}${first === last ? first : `[${first}-${last}]`}`);
  }
  return parts.length === 1 ? (parts[0] as string) : `(?:${parts.join("|")})`;
}

/** Letters of an IPv6 address count in both cases, as in a list without ranges. */
function addressInAnyCase(address: string): string {
  return address.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replace(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
}
