import { type ConsoleClient, createConsoleClient } from "@gatehouse/client";
import type { Command } from "commander";
import { CliError } from "./cli-error.ts";
import { environment } from "./environment.ts";
import { type Profile, profileNamed, readProfiles } from "./profiles.ts";

/** The options that every command has. */
export type GlobalOptions = { profile?: string; url?: string; key?: string; json?: boolean };

export const DEFAULT_URL = "http://127.0.0.1:4000";

/** A server to talk to. */
export type Connection = { client: ConsoleClient; url: string };

export function globalOptions(command: Command): GlobalOptions {
  return command.optsWithGlobals<GlobalOptions>();
}

/** The server and key of a command: from its options, from the environment, or from a profile. @throws CliError without a key */
export function resolveProfile(options: GlobalOptions): Profile {
  const url = options.url ?? environment.url;
  const key = options.key ?? environment.key;
  const name = options.profile ?? environment.profile;
  if (key !== undefined && options.profile === undefined) return { url: url ?? DEFAULT_URL, key };
  const { current, profiles } = readProfiles();
  const profile = name === undefined ? profiles[current] : profileNamed(name);
  if (!profile) throw new CliError("You are not logged in.", "Run gatehouse login, or set GATEHOUSE_URL and GATEHOUSE_KEY.");
  return { url: options.url ?? profile.url, key: options.key ?? profile.key };
}

export function connect(options: GlobalOptions): Connection {
  return connectTo(resolveProfile(options));
}

export function connectTo({ url, key }: Profile): Connection {
  try {
    return { client: createConsoleClient({ baseUrl: url, apiKey: key }), url };
  } catch (error) {
    if (error instanceof TypeError) throw new CliError(`${JSON.stringify(url)} is not the http or https URL of a server.`);
    throw error;
  }
}
