import { readFileSync } from "node:fs";

/** The parameters of a URL that have an effect: those of the driver, and the settings of a connection that Postgres itself reads. */
const PARAMETERS = new Set([
  ...["application_name", "fallback_application_name", "options", "client_encoding", "lock_timeout"],
  ...["host", "port", "user", "password", "ssl", "sslmode", "sslrootcert", "sslcert", "sslkey", "sslnegotiation", "uselibpqcompat"],
]);
const FILES = ["sslrootcert", "sslcert", "sslkey"];
const SSL_MODES = ["disable", "prefer", "require", "verify-ca", "verify-full", "no-verify"];

const SCHEMA_ADVICE = "must not have the parameter schema. Set the schema of the role instead: alter role NAME set search_path = SCHEMA";

/** The error in a Postgres URL, as the end of a sentence that begins with the setting's name. Undefined if the URL can be used. */
export function databaseUrlFault(text: string): string | undefined {
  if (!/^postgres(ql)?:\/\//.test(text)) return "must be a URL that starts with postgres:// or postgresql://";
  if (/^\w+:\/\/[^/?#]*,/.test(text))
    return "must name one host. If there are several servers, give the address of a proxy in front of them";
  if (!URL.canParse(text)) return "must be a valid URL. Characters such as @, / and # in the password need their codes: %40, %2F and %23";
  const { searchParams } = new URL(text);
  if (searchParams.has("schema")) return SCHEMA_ADVICE;
  const unknown = [...searchParams.keys()].find((name) => !PARAMETERS.has(name));
  if (unknown !== undefined) return `has the parameter ${unknown}, which has no effect here. Remove it`;
  const mode = searchParams.get("sslmode");
  if (mode !== null && !SSL_MODES.includes(mode)) return `must have one of the values ${SSL_MODES.join(", ")} for sslmode`;
  if (mode === "verify-ca" && searchParams.get("uselibpqcompat") === "true" && !searchParams.has("sslrootcert"))
    return "needs sslrootcert, the file of the certificate authority, for sslmode=verify-ca";
  return FILES.map((name) => fileFault(name, searchParams.get(name))).find((fault) => fault !== undefined);
}

function fileFault(name: string, path: string | null): string | undefined {
  if (path === null) return undefined;
  try {
    readFileSync(path);
    return undefined;
  } catch (error) {
    return `names a file for ${name} that cannot be read: ${(error as Error).message}`;
  }
}
