import { RESERVED_SEGMENTS } from "../common/reserved-paths.ts";

const PARTS_PATTERN = /^https?:\/\/[^/?#@\\\s]+((?:\/[^?#\\\s]*)?)$/i;
/** Characters that no proxy encodes or decodes, so that the path looks the same everywhere. */
const SEGMENT_PATTERN = /^(?!\.{1,2}$)[A-Za-z0-9._~-]+$/;

/** Reads the URL at which people and programs reach a server. A slash at its end is removed. */
export function readPublicUrl(env: NodeJS.ProcessEnv, faults: string[], name = "GATEHOUSE_PUBLIC_URL"): string | undefined {
  const text = env[name] || undefined;
  if (text === undefined) return undefined;
  const [, path] = PARTS_PATTERN.exec(text) ?? [];
  if (path === undefined || !URL.canParse(text)) {
    faults.push(`${name} must be an http or https URL without a query, such as https://flags.example.com or https://example.com/gatehouse`);
    return undefined;
  }
  const segments = path.replace(/\/$/, "").split("/").slice(1);
  const fault = segments.every((segment) => SEGMENT_PATTERN.test(segment)) ? reservedFault(segments) : UNUSUAL;
  if (fault !== undefined) faults.push(`${name} ${fault}`);
  return [new URL(text).origin, ...segments].join("/");
}

const UNUSUAL =
  "must have a path of plain segments, such as https://example.com/gatehouse: letters, digits, hyphens, dots, underscores, and tildes, " +
  "and no segment that is empty, . or ..";

function reservedFault([first = ""]: string[]): string | undefined {
  return RESERVED_SEGMENTS.has(first.toLowerCase())
    ? `can't have a path that begins with /${first}, which the server uses itself`
    : undefined;
}
