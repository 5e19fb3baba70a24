// Runs suites of scripts/suites.mjs: `node scripts/run-suites.mjs NAME…`, where a name is a suite or a group.
// It ends with the failures and the minutes of each suite.
// With `--packages` it prints the Debian packages that they need and this machine lacks. A suite that lacks one is skipped; in CI it fails.
import { spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { groups, missingFor, suites } from "./suites.mjs";

const names = process.argv.slice(2).filter((name) => name !== "--packages");
const unknown = names.filter((name) => !(name in suites) && !(name in groups));
if (names.length === 0 || unknown.length > 0) {
  const known = `Suites: ${Object.keys(suites).join(", ")}. Groups: ${Object.keys(groups).join(", ")}.`;
  process.stderr.write(`${unknown.length > 0 ? `Unknown: ${unknown.join(", ")}. ` : ""}${known}\n`);
  process.exit(2);
}
/** Lists of suites that run beside each other, one after the other. */
const stages = names.map((name) => groups[name] ?? [[name]]);

if (process.argv.includes("--packages")) {
  const missing = stages.flat(2).flatMap((name) => missingFor(suites[name]));
  process.stdout.write(`${[...new Set(missing.map((one) => one.package))].join(" ")}\n`);
  process.exit();
}

const results = [];
const running = new Set();
/** What each suite that has not ended has printed, by its name, with the time of its start, ms. */
const unfinished = new Map();
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => stop(signal));

for (const lists of stages) {
  await Promise.all(lists.map((list, index) => runList(list, { isQuiet: index > 0 })));
  // Later suites need their results.
  if (lists.flat().some((name) => ["install", "check", "build"].includes(name)) && results.some(({ isFailed }) => isFailed)) break;
}
report();

async function runList(list, options) {
  for (const name of list) results.push({ name, ...(await runSuite(name, options)) });
}

/** @param {{ isQuiet: boolean }} options whether the output is shown at the end, since another suite prints its own at the time */
async function runSuite(name, { isQuiet }) {
  const suite = suites[name];
  const missing = missingFor(suite);
  if (missing.length > 0) {
    const note = `needs ${missing.map((one) => `${one.title} (apt-get install ${one.package})`).join(" and ")}`;
    return { minutes: 0, note, isFailed: process.env.CI !== undefined };
  }
  const begin = Date.now();
  const output = [];
  unfinished.set(name, { begin, output });
  if (!isQuiet) process.stdout.write(headline(suite));
  const keep = (chunk) => {
    output.push(chunk);
    if (!isQuiet) process.stdout.write(chunk);
  };
  let isFailed = false;
  for (const command of suite.commands) isFailed ||= !(await succeeds(command, keep));
  unfinished.delete(name);
  const text = Buffer.concat(output).toString();
  if (isQuiet) process.stdout.write(headline(suite) + text);
  return { minutes: (Date.now() - begin) / 60_000, isFailed, failures: isFailed ? failuresIn(text) : [] };
}

/** The lines of a failed suite that name its failures, in the words of Vitest, Playwright and our own programs; its last lines if none does. */
function failuresIn(text) {
  // Turbo begins each line of a task with its name.
  const lines = stripVTControlCharacters(text)
    .split("\n")
    .map((line) => line.replace(/^@gatehouse\/[\w-]+:[\w:-]+: /, ""));
  const marked = lines.filter((line) => /^\s*(×|✘|FAIL\b|\w*Error: )/.test(line)).map((line) => line.trim());
  return (marked.length > 0 ? [...new Set(marked)] : lines.slice(-20)).slice(0, 40);
}

function headline({ title }) {
  return `\n== ${title}\n`;
}

/** @param {(chunk: Buffer) => void} keep receives what the command prints */
function succeeds(command, keep) {
  const colors = process.stdout.isTTY ? { FORCE_COLOR: "1" } : {};
  const child = spawn(command, { shell: true, stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...colors } });
  running.add(child);
  for (const stream of [child.stdout, child.stderr]) stream.on("data", keep);
  return new Promise((resolve) => {
    child.once("close", (code) => {
      running.delete(child);
      resolve(code === 0);
    });
  });
}

/** Ends everything. A suite that hangs is thereby named, with the last lines that it printed. */
function stop(signal) {
  for (const child of running) child.kill(signal);
  for (const [name, { begin, output }] of unfinished) {
    const lines = stripVTControlCharacters(Buffer.concat(output).toString()).trimEnd().split("\n").slice(-20);
    results.push({ name, minutes: (Date.now() - begin) / 60_000, note: "did not end", isFailed: true, failures: lines });
  }
  report();
  process.exit(1);
}

function report() {
  const lines = results.map(({ name, minutes, note, isFailed }) => {
    const outcome = note === undefined ? (isFailed ? "failed" : "passed") : `${isFailed ? "failed" : "skipped"}: ${note}`;
    return `${minutes.toFixed(1).padStart(6)}  ${name.padEnd(14)} ${outcome}`;
  });
  const failed = results.filter(({ isFailed }) => isFailed).length;
  for (const { name, failures = [] } of results.filter(({ isFailed }) => isFailed)) {
    process.stdout.write(`\nFailures of ${name}:\n${failures.map((line) => `  ${line}\n`).join("")}`);
  }
  process.stdout.write(`\nMinutes of each suite:\n${lines.join("\n")}\n\n${results.length - failed} passed, ${failed} failed\n`);
  process.exitCode = failed > 0 ? 1 : 0;
}
