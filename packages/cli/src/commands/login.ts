import { ConsoleApiError } from "@gatehouse/client";
import type { Command } from "commander";
import { CliError } from "../cli-error.ts";
import { connect, connectTo, DEFAULT_URL, globalOptions, resolveProfile } from "../connection.ts";
import { logInWithBrowser } from "../device-login.ts";
import { environment } from "../environment.ts";
import { openBrowser } from "../open-browser.ts";
import { note, print, printJson, styled, table } from "../output.ts";
import { describeKey, hintOf, readOwnKey } from "../own-key.ts";
import { type Profile, profileNamed, profilesFile, readProfiles, writeProfiles } from "../profiles.ts";
import { askForKey } from "./ask-for-key.ts";

type LoginOptions = { withKey?: true; browser: boolean };

function store(name: string, profile: Profile): void {
  const { profiles } = readProfiles();
  writeProfiles({ current: name, profiles: { ...profiles, [name]: profile } });
}

/** A key from a login with a browser. Undefined if the server is too old for it. @throws CliError without a terminal */
async function useBrowser(url: string, opens: boolean): Promise<string | undefined> {
  // A script would wait for an approval that never comes.
  if (opens && !process.stderr.isTTY)
    throw new CliError(
      "This isn’t a terminal, so no browser was opened.",
      "Pass a key with --key, GATEHOUSE_KEY or --with-key, or use --no-browser to print the login URL and code.",
    );
  const key = await logInWithBrowser(url, opens ? openBrowser : () => {});
  if (key === undefined) note("This server doesn’t support browser login. Enter a key instead.");
  return key;
}

/** Deactivates the key of a profile. A key that no longer works needs nothing. @throws CliError */
async function deactivateKeyOf({ url, key }: Profile): Promise<void> {
  try {
    await connectTo({ url, key }).client.deactivateKey({ path: { id: key } });
  } catch (error) {
    if (error instanceof ConsoleApiError && error.status === 401) return;
    throw new CliError(
      `The key ${hintOf(key)} could not be deactivated: ${(error as Error).message}`,
      "The profile is still stored. Try again, or deactivate the key on the Keys page and run gatehouse logout without --deactivate.",
    );
  }
}

export function addLogin(program: Command): void {
  program
    .command("login")
    .description("Log in with your browser, and store the key as a profile. To store an existing key instead, use --key or GATEHOUSE_KEY")
    .option("--with-key", "ask for a console key, or read it from standard input, instead of using a browser")
    .option("--no-browser", "print the URL and code instead of opening a browser, so that you can log in on another computer")
    .action(async (own: LoginOptions, command: Command) => {
      const options = globalOptions(command);
      const name = options.profile ?? environment.profile ?? "default";
      const url = options.url ?? environment.url ?? readProfiles().profiles[name]?.url ?? DEFAULT_URL;
      const given = options.key ?? environment.key ?? (own.withKey ? await askForKey(url) : undefined);
      const fromBrowser = given === undefined ? await useBrowser(url, own.browser) : undefined;
      const key = given ?? fromBrowser ?? (await askForKey(url));
      // The server doesn't show a new key again, so it's stored even if the next request fails.
      if (fromBrowser !== undefined) store(name, { url, key });
      const { data: project } = await connectTo({ url, key }).client.getProject();
      if (fromBrowser === undefined) store(name, { url, key });
      if (options.json) printJson({ profile: name, url, project });
      else print(`Logged in to the project ${project.name} at ${url}. The profile ${name} is stored in ${profilesFile()}.`);
    });
  program
    .command("logout")
    .description("Delete a profile and its copy of the key, which still works unless you add --deactivate")
    .option("--deactivate", "first deactivate the key on the server, permanently and for everyone who uses it")
    .action(async ({ deactivate = false }: { deactivate?: boolean }, command: Command) => {
      const { current, profiles } = readProfiles();
      const name = globalOptions(command).profile ?? environment.profile ?? current;
      const profile = profileNamed(name);
      if (deactivate) await deactivateKeyOf(profile);
      const { [name]: _, ...others } = profiles;
      writeProfiles({ current: current === name ? (Object.keys(others)[0] ?? "default") : current, profiles: others });
      if (globalOptions(command).json) return printJson({ deleted: name, deactivated: deactivate });
      const ofKey = deactivate
        ? `The key ${hintOf(profile.key)} was deactivated and no longer works anywhere.`
        : `The key ${hintOf(profile.key)} still works until it expires or you deactivate it on the Keys page.`;
      print(`The profile ${name} was deleted. ${ofKey}`);
    });
  program
    .command("profiles")
    .description("List the stored profiles")
    .action((_options, command: Command) => {
      const { current, profiles } = readProfiles();
      const rows = Object.entries(profiles).map(([name, { url }]) => ({ name, url, isCurrent: name === current }));
      if (globalOptions(command).json) return printJson(rows);
      print(
        table(
          ["profile", "url", ""],
          rows.map(({ name, url, isCurrent }) => [name, url, isCurrent ? "current" : ""]),
        ),
      );
    });
  program
    .command("status")
    .description("Show whether the server can be reached, and the project")
    .action(async (_options, command: Command) => {
      const options = globalOptions(command);
      const { client, url } = connect(options);
      const begin = performance.now();
      const { data: project } = await client.getProject();
      const latencyMs = Math.round(performance.now() - begin);
      if (options.json) return printJson({ url, project, latencyMs });
      print(`${styled("green", "●")} ${url} responds in ${latencyMs} ms.\nProject: ${project.name} (${project.id})`);
    });
  program
    .command("whoami")
    .description("Show the server, the project and the key that commands use, with its role and scopes")
    .action(async (_options, command: Command) => {
      const options = globalOptions(command);
      const { url, key } = resolveProfile(options);
      const { client } = connectTo({ url, key });
      const [{ data: project }, own] = await Promise.all([client.getProject(), readOwnKey(client, key)]);
      if (options.json) return printJson({ url, project, key: { hint: hintOf(key), ...own } });
      print(`Key ${hintOf(key)} of the project ${project.name} (${project.id}) at ${url}`);
      if (own) print(describeKey(own).join("\n"));
      else note("This key can’t read keys, so its role and scopes aren’t shown.");
    });
}
