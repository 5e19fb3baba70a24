import { CliError } from "../../cli-error.ts";
import { environment } from "../../environment.ts";
import type { Note } from "../flags.ts";
import { API_SYSTEMS, type ApiOption } from "./systems.ts";

export type ApiOptions = { fromUrl?: string; tokenEnv?: string; project?: string; environment?: string[] };

/** Reads from the API of a system what its importer takes, and adds notes about what was not read. @throws CliError */
export async function readApi(system: string, options: ApiOptions & { fromUrl: string }, notes: Note[]): Promise<unknown> {
  const { tokenVariable, needsToken, options: allowed, read } = API_SYSTEMS[system] as (typeof API_SYSTEMS)[string];
  for (const option of ["project", "environment"] as ApiOption[]) {
    if (options[option] !== undefined && allowed[option] === undefined) throw new CliError(`--${option} has no effect for ${system}.`);
    if (options[option] === undefined && allowed[option] === "required") throw new CliError(`--${option} is required for ${system}.`);
  }
  const base = toBase(options.fromUrl);
  const variable = options.tokenEnv ?? tokenVariable;
  const token = environment.token(variable)?.trim();
  if (token === undefined && (needsToken || options.tokenEnv !== undefined))
    throw new CliError(`The environment variable ${variable} is not set.`, `Set it to a token of ${system} that may read flags.`);
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    throw new CliError(`The environment variable ${variable} has characters that no token has.`);
  return read({ base, token, project: options.project, environments: options.environment ?? [], notes });
}

/** Tokens are sent only through TLS, or to this machine. */
function toBase(text: string): URL {
  if (!URL.canParse(text)) throw new CliError(`${JSON.stringify(text)} is not a URL.`);
  const url = new URL(text);
  if (url.username !== "" || url.password !== "")
    throw new CliError("--from-url cannot have a user or password, because other users of this machine can see the arguments of commands.");
  const isLocal = url.hostname === "localhost" || url.hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(url.hostname);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLocal))
    throw new CliError("--from-url must use https, except for localhost.");
  return url;
}
