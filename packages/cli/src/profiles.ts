import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { CliError, fileError } from "./cli-error.ts";
import { environment } from "./environment.ts";

/** A server, and the key that the command line uses there. */
export type Profile = { url: string; key: string };

type Profiles = { current: string; profiles: { [name: string]: Profile } };

/** The file of the profiles. It has keys, so only its owner can read it. */
export function profilesFile(): string {
  const folder = environment.configFolder ?? environment.appData ?? join(homedir(), ".config");
  return join(folder, "gatehouse", "profiles.json");
}

export function readProfiles(): Profiles {
  const file = profilesFile();
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return { current: "default", profiles: {} };
    throw fileError(file, error);
  }
  try {
    const { current = "default", profiles = {} } = JSON.parse(text) as Partial<Profiles>;
    return { current, profiles };
  } catch {
    throw new CliError(`${file} is not valid JSON.`, "Delete it, and run gatehouse login again.");
  }
}

export function writeProfiles(profiles: Profiles): void {
  const file = profilesFile();
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 });
    // The mode of a file that exists is not changed by writing it.
    chmodSync(file, 0o600);
  } catch (error) {
    throw fileError(file, error);
  }
}

/** The profile with this name. @throws CliError */
export function profileNamed(name: string): Profile {
  const { profiles } = readProfiles();
  const profile = profiles[name];
  if (profile) return profile;
  const known = Object.keys(profiles);
  throw new CliError(
    `The profile ${name} does not exist.`,
    known.length === 0
      ? `Run gatehouse login --profile ${name}.`
      : `Profiles: ${known.join(", ")}. To add one, run gatehouse login --profile ${name}.`,
  );
}
