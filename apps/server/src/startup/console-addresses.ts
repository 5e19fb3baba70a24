import { readAddressRange } from "../common/address-ranges.ts";

/**
 * Reads a setting that lists addresses and ranges, separated by commas.
 * @param faults receives one for the first value that is invalid
 */
export function readAddresses(name: string, env: NodeJS.ProcessEnv, faults: string[]): string[] {
  const texts = (env[name] ?? "").split(",").map((text) => text.trim());
  if (texts.length === 1 && texts[0] === "") return [];
  const ranges = new Set<string>();
  for (const text of texts) {
    const read = readAddressRange(text);
    if ("range" in read) ranges.add(read.range);
    else {
      faults.push(`${name} must be addresses or ranges, separated by commas: "${text}" ${read.error}`);
      break;
    }
  }
  return [...ranges];
}
