import type { Condition } from "./types.ts";

const OCTET = "(?:25[0-5]|2[0-4]\\d|[01]?\\d?\\d)";
const IPV4_RANGE = new RegExp(`^(?:${OCTET}\\.){3}${OCTET}/(?:[0-2]?\\d|3[0-2])$`);

/** Limits of SDKs for a condition on a place: IP ranges, IPv6 addresses and countries. */
export function adviceOnPlace({ type, targetValue }: Condition): string | undefined {
  if (type === "country") return "SDKs can’t look up the country of an IPv6 address. Send the field “country” for these users.";
  if (type !== "ip_address") return undefined;
  const values = [targetValue ?? []].flat().map(String);
  if (values.some((value) => value.includes(":"))) {
    return "SDKs compare IPv6 addresses as text. List every spelling, or use “starts with any of”.";
  }
  return values.some((value) => value.includes("/")) ? "IPv4 ranges work in every SDK: they’re sent as a pattern." : undefined;
}

/** Why a condition on IP addresses cannot have its ranges (CIDR). Undefined if it has none or can. */
export function rangeFault({ type, operator, targetValue }: Condition): string | undefined {
  const ranges = [targetValue ?? []]
    .flat()
    .map(String)
    .filter((value) => value.includes("/"));
  const isWhole = operator === "any" || operator === "none" || operator?.endsWith("_case_sensitive");
  if (type !== "ip_address" || !isWhole || ranges.length === 0) return undefined;
  if (operator !== "any") return "Ranges work only with “is any of”. For the opposite, put them in a segment and use “Not in segment”.";
  const wrong = ranges.find((range) => !IPV4_RANGE.test(range));
  return wrong === undefined ? undefined : `Use IPv4 ranges, such as 10.0.0.0/8. SDKs can’t match ${wrong}.`;
}
