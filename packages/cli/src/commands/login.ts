import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { Command } from "commander";
import { CliError } from "../cli-error.ts";
import { connect, connectTo, DEFAULT_URL, globalOptions, resolveProfile } from "../connection.ts";
import { environment } from "../environment.ts";
import { note, print, printJson, styled, table } from "../output.ts";
import { describeKey, hintOf, readOwnKey } from "../own-key.ts";
import { profileNamed, profilesFile, readProfiles, writeProfiles } from "../profiles.ts";

export function addLogin(program: Command): void {
  program
    .command("login")
    .description("Store a console key as a profile, after checking it. Asks for the key unless --key or GATEHOUSE_KEY states it")
    .action(async (_options, command: Command) => {
      const options = globalOptions(command);
      const name = options.profile ?? environment.profile ?? "default";
      const url = options.url ?? environment.url ?? readProfiles().profiles[name]?.url ?? DEFAULT_URL;
      const key = options.key ?? environment.key ?? (await askForKey(url));
      const { data: project } = await connectTo({ url, key }).client.getProject();
      const { profiles } = readProfiles();
      writeProfiles({ current: name, profiles: { ...profiles, [name]: { url, key } } });
      if (options.json) printJson({ profile: name, url, project });
      else print(`Logged in to the project ${project.name} at ${url}. The profile ${name} is stored in ${profilesFile()}.`);
    });
  program
    .command("logout")
    .description("Delete a profile and its key")
    .action((_options, command: Command) => {
      const { current, profiles } = readProfiles();
      const name = globalOptions(command).profile ?? environment.profile ?? current;
      profileNamed(name);
      const { [name]: _, ...others } = profiles;
      writeProfiles({ current: current === name ? (Object.keys(others)[0] ?? "default") : current, profiles: others });
      if (globalOptions(command).json) return printJson({ deleted: name });
      print(`The profile ${name} was deleted. The key still works until you deactivate it.`);
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

/** Asks for a key without showing it. @throws CliError without a terminal */
async function askForKey(url: string): Promise<string> {
  if (!process.stdin.isTTY) throw new CliError("A key is required.", "State it with --key or GATEHOUSE_KEY.");
  note(`Create a console key on the page Keys of ${url}.`);
  let isMuted = false;
  const output = new Writable({
    write(chunk, encoding, done) {
      if (!isMuted) process.stderr.write(chunk, encoding);
      done();
    },
  });
  const prompt = createInterface({ input: process.stdin, output, terminal: true });
  try {
    const answer = prompt.question("Key: ");
    isMuted = true;
    const key = (await answer).trim();
    note("");
    if (key === "") throw new CliError("No key was given.");
    return key;
  } finally {
    prompt.close();
  }
}
