import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { CliError } from "../cli-error.ts";
import { note } from "../output.ts";

/** Asks for a key without showing it, or reads it from standard input that is not a terminal. @throws CliError for an empty key */
export async function askForKey(url: string): Promise<string> {
  const key = (process.stdin.isTTY ? await prompt(url) : await text(process.stdin)).trim();
  if (key === "") throw new CliError("No key was given.");
  return key;
}

async function prompt(url: string): Promise<string> {
  note(`Create a console key on the Keys page of ${url}.`);
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
    const key = await answer;
    note("");
    return key;
  } finally {
    prompt.close();
  }
}
