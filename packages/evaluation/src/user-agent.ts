import { BROWSERS, OPERATING_SYSTEMS, type Pattern } from "./generated/user-agent-patterns.ts";

type Agent = { name: string; version: string };
type Parser = (userAgent: string) => Agent;

/** Longer user agents are not parsed. In characters. */
const MAX_USER_AGENT_LENGTH = 1000;

/** Patterns that differ between SDKs and uap-core. */
const OWN_BROWSERS: readonly Pattern[] = [
  ["(CriOS)/(\\d+)(?:\\.(\\d+))?(?:\\.(\\d+))?(?:\\.(\\d+))?", "Chrome Mobile iOS"],
  ["^CFNetwork/", "Mobile Safari UI/WKWebView"],
  ["(HeadlessChrome)(?:/(\\d+)\\.(\\d+)\\.(\\d+)(?:\\.(\\d+))?)?"],
  ["(Better Uptime Bot)"],
  ["^(?:curl|Wget|okhttp|python-requests|Go-http-client|PostmanRuntime|Java|Apache-HttpClient|facebookexternalhit)/", "Other"],
  ["(axios)/(\\d+)\\.(\\d+)\\.(\\d+)(?:[.,](\\d+))?"],
];
const OWN_SYSTEMS: readonly Pattern[] = [
  ["^CFNetwork/", "iOS"],
  ["^Mozilla/5\\.0 \\(Macintosh.{0,200} CriOS/", "iOS"],
];

const browser = parser([...OWN_BROWSERS, ...BROWSERS]);
const operatingSystem = parser([...OWN_SYSTEMS, ...OPERATING_SYSTEMS]);

const FIELDS: ReadonlyMap<string, (userAgent: string) => string> = new Map([
  ["osname", (userAgent) => operatingSystem(userAgent).name],
  ["osversion", (userAgent) => operatingSystem(userAgent).version],
  ["browsername", (userAgent) => browser(userAgent).name],
  ["browserversion", (userAgent) => browser(userAgent).version],
]);

/**
 * Reads `os_name`, `os_version`, `browser_name` or `browser_version` from a user agent. The name of the field may have any case and lack
 * the underscore. An unknown user agent has the name Other and the version 0.0.0; one that is too long has none.
 */
export function userAgentField(field: string): (userAgent: string) => string | undefined {
  const read = FIELDS.get(field.toLowerCase().replace("_", ""));
  return (userAgent) => (userAgent.length > MAX_USER_AGENT_LENGTH ? undefined : read?.(userAgent));
}

/** The most user agents in the cache, which is cleared when full. */
const CACHE_SIZE = 1000;

/** The first matching pattern decides. Hundreds may be tried, so results are cached. */
function parser(patterns: readonly Pattern[]): Parser {
  let expressions: RegExp[] | undefined;
  const remembered = new Map<string, Agent>();
  return (userAgent) => {
    const known = remembered.get(userAgent);
    if (known !== undefined) return known;
    expressions ??= patterns.map(([regex]) => new RegExp(regex));
    const agent = parse(userAgent, patterns, expressions);
    if (remembered.size === CACHE_SIZE) remembered.clear();
    remembered.set(userAgent, agent);
    return agent;
  };
}

function parse(userAgent: string, patterns: readonly Pattern[], expressions: readonly RegExp[]): Agent {
  for (const [index, expression] of expressions.entries()) {
    const groups = expression.exec(userAgent);
    if (groups === null) continue;
    const [, ...replacements] = patterns[index] as Pattern;
    const [name, ...version] = [0, 1, 2, 3, 4].map((place) => part(groups, replacements[place], place + 1));
    const end = version.findIndex((number) => !number);
    return { name: name || "Other", version: version.slice(0, end === -1 ? undefined : end).join(".") || "0.0.0" };
  }
  return { name: "Other", version: "0.0.0" };
}

function part(groups: RegExpExecArray, replacement: string | null | undefined, group: number): string | undefined {
  return replacement ? replacement.replace(/\$(\d)/g, (_, number) => groups[number] ?? "").trim() : groups[group];
}
