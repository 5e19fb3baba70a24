import type { Address, Engine } from "../store/database/engines.ts";

const SCHEMES: Record<Engine, RegExp> = { postgres: /^postgres(ql)?:$/, clickhouse: /^clickhouse:$/ };
const PORTS: Record<Engine, number> = { postgres: 5432, clickhouse: 8123 };
const SECURE_CLICKHOUSE_PORT = 8443;

const SSL_MODES: Readonly<Record<string, Address["encryption"]>> = { disable: "off", require: "on", "verify-full": "verified" };
const SECURE: Readonly<Record<string, Address["encryption"]>> = { true: "verified", false: "off" };

/** The address in a URL, or the fault of the URL, as an error message. No other parameters count: some of them name further hosts. */
export function readAddress(type: Engine, text: string): Address | { fault: string } {
  const example = type === "postgres" ? "postgres://reader:password@host:5432/database" : "clickhouse://reader:password@host:8123/database";
  if (!URL.canParse(text)) return { fault: `must be a URL such as ${example}` };
  const { protocol, hostname, port, pathname, username, password, searchParams, hash } = new URL(text);
  if (!SCHEMES[type].test(protocol) || hostname === "" || hash !== "" || !/^\/[^/]+$/.test(pathname))
    return { fault: `must be a URL such as ${example}` };
  if (username === "") return { fault: "must name a user" };
  const [parameter, modes] = type === "postgres" ? (["sslmode", SSL_MODES] as const) : (["secure", SECURE] as const);
  const others = [...searchParams.keys()].filter((name) => name !== parameter);
  if (others.length > 0 || searchParams.getAll(parameter).length > 1) return { fault: `must have no parameter but ${parameter}` };
  const encryption = modes[searchParams.get(parameter) ?? (type === "postgres" ? "disable" : "false")];
  if (!encryption) return { fault: `must have one of ${Object.keys(modes).join(", ")} as ${parameter}` };
  const usual = type === "clickhouse" && encryption === "verified" ? SECURE_CLICKHOUSE_PORT : PORTS[type];
  try {
    const [database, user, secret] = [pathname.slice(1), username, password].map(decodeURIComponent) as [string, string, string];
    // A NUL ends a parameter of Postgres's start message, and begins another one.
    if ([database, user, secret].some((part) => /\p{Cc}/u.test(part))) return { fault: "must have no control character" };
    return { type, host: hostname.toLowerCase(), port: Number(port) || usual, database, username: user, password: secret, encryption };
  } catch {
    return { fault: "has a % that encodes no character" };
  }
}
