// Sends generated requests to its own server and reports responses that violate the contract: `pnpm fuzz [COUNT] [--seed S] [--only N] [--connections C] [--refusals] [--server FILE]`.
// The seed determines every request, except that references depend on the entities at that time. With one connection a run is reproducible.
// `--server` is the main file of another build. `--refusals` shows why valid requests were rejected, to improve the generator.
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { measureSlowness } from "./calibrate.mjs";
import { checkAnswers, Fault } from "./checks.mjs";
import { operations } from "./contract.mjs";
import { createGate } from "./gate.mjs";
import { planRequests } from "./plans.mjs";
import { createReport } from "./report.mjs";
import { agent, prepare, send, toCurl } from "./send.mjs";
import { makeDatabase, startServer } from "./server.mjs";
import { CONSOLE_KEY, makeWorld } from "./world.mjs";

const DEFAULT_COUNT = 2_000;
/** From this number of requests on, a run must have succeeded with every operation. */
const FULL_RUN = 20_000;
const MAX_FAILURES = 20;
const MAX_SHRINKS = 60;
const HEAVY_BYTES = 32_768;
const HEAVY_ATTEMPTS = 6;
const MAX_ATTEMPTS_WHEN_BUSY = 5;
const BUSY_PAUSE_MS = 1_000;
const BATCH_SIZE = 1_000;
/** The embedded database runs in the server's process, so that its CPU time and memory are the server's. */
const isEmbedded = !process.env.TEST_DATABASE_URL;
const LIMITS = {
  /** CPU time of a single request, ms on the reference machine, plus the time per MiB of its decoded body. */
  heavyCPUMs: isEmbedded ? 400 : 200,
  heavyCPUMsPerMiB: 150,
  /** Mean CPU time of a request over a batch of BATCH_SIZE requests, ms on the reference machine. */
  meanCPUMs: 15,
  /** Resident set at the end, MB, after bodies of up to 16 MiB. */
  memoryMB: isEmbedded ? 1_200 : 600,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string" },
    only: { type: "string" },
    connections: { type: "string", default: "16" },
    refusals: { type: "boolean" },
    server: { type: "string" },
  },
});
const count = Number(positionals[0] ?? DEFAULT_COUNT);
const seed = Number(values.seed ?? process.env.FUZZ_SEED ?? Date.now() % 1_000_000);
const only = values.only === undefined ? undefined : Number(values.only);

const database = await makeDatabase(CONSOLE_KEY);
const server = await startServer(database.env, CONSOLE_KEY, values.server);
const world = await makeWorld(server.url, database.otherKey);
const digest = await world.otherDigest();
const report = createReport({ seed, count, showsRefusals: values.refusals });
const slowness = measureSlowness();
const gate = createGate();
/** Operations that create or unarchive entities are more frequent, so that the others find entities to change. */
const weighted = operations.flatMap((operation) => {
  const isCreation = operation.method === "POST" && !operation.path.includes("{");
  return isCreation || /\/(start|reset|unarchive)$/.test(operation.path) ? [operation, operation] : [operation];
});
let next = only ?? 0;
let batchStart = server.cpu();
let sent = 0;

report.start(server.url, slowness);
await Promise.all(Array.from({ length: Number(values.connections) }, work));
await checkEnd();
agent.destroy();
await server.stop();
await database.remove();
process.exitCode = report.end({ isFull: only === undefined && count >= FULL_RUN });

async function work() {
  const end = only === undefined ? count : only + 1;
  for (let index = next++; index < end; index = next++) {
    if (server.hasEnded() || report.failures() >= MAX_FAILURES) return;
    await run(index);
    if (++sent % BATCH_SIZE === 0) checkBatch();
  }
}

/** Sends one request. If its response violates an invariant, shrinks the request to a minimal one that still fails. */
async function run(index) {
  const operation = weighted[mixed(index) % weighted.length];
  let smallest;
  let attempts = 0;
  const property = fc.asyncProperty(planRequests(operation), async (plan) => {
    if (attempts++ > MAX_SHRINKS) return;
    const prepared = prepare(plan, world);
    const outcome = await attempt(prepared, plan);
    try {
      checkAnswers(plan, prepared, outcome);
      if (outcome.overspent) throw new Fault(outcome.overspent);
    } catch (error) {
      smallest = { plan, prepared, outcome, error };
      throw error;
    }
    for (const answer of outcome.answers) world.learn(operation, plan, answer);
    report.count(operation, plan, outcome);
  });
  const details = await fc.check(property, { seed: mixed(index), numRuns: 1 });
  if (!details.failed) return;
  if (!smallest) throw details.errorInstance;
  const requestID = smallest.outcome.answers?.[0]?.headers["x-request-id"];
  report.failure({ ...smallest, index, operation, curl: toCurl(server.url, smallest.prepared), logged: server.logged(requestID) });
}

/** Sends a request. One with a large body runs alone, to measure its CPU time. */
function attempt(prepared, plan) {
  if (prepared.decodedBytes < HEAVY_BYTES) return gate.shared(() => patiently(prepared, plan));
  return gate.alone(async () => {
    const allowed = (LIMITS.heavyCPUMs + (LIMITS.heavyCPUMsPerMiB * prepared.decodedBytes) / 2 ** 20) * slowness;
    let least = Number.POSITIVE_INFINITY;
    let outcome;
    // A measurement includes background work of the server, so only the minimum of several is the cost of the request.
    for (let attempt = 0; attempt < HEAVY_ATTEMPTS && least > allowed; attempt++) {
      const before = server.cpu();
      outcome = await patiently(prepared, plan);
      least = Math.min(least, server.cpu() - before);
    }
    report.heavy(plan, least, allowed);
    return least > allowed ? { ...outcome, overspent: `${least} ms of CPU, where ${Math.round(allowed)} are allowed` } : outcome;
  });
}

/** Retries 503, which is correct while transactions time out on a busy machine. */
async function patiently(prepared, plan) {
  for (let count = 1; ; count++) {
    const outcome = await send(server.url, prepared, plan);
    const isBusy = outcome.answers?.some(({ status }) => status === 503) === true;
    if (!isBusy || count === MAX_ATTEMPTS_WHEN_BUSY) return outcome;
    await sleep(BUSY_PAUSE_MS);
  }
}

function checkBatch() {
  const now = server.cpu();
  const mean = (now - batchStart) / BATCH_SIZE;
  batchStart = now;
  report.batch(sent, mean, server.memory());
  // The first batch includes warm-up.
  if (sent > BATCH_SIZE && mean > LIMITS.meanCPUMs * slowness)
    report.problem(
      `${mean.toFixed(1)} ms of CPU a request before number ${sent}, where ${(LIMITS.meanCPUMs * slowness).toFixed(1)} are allowed`,
    );
}

async function checkEnd() {
  if (server.hasEnded()) return report.problem(`the server ended:\n${server.logged().join("\n")}`);
  if ((await world.otherDigest()) !== digest) report.problem("the other project's content has changed");
  const memory = server.memory();
  report.memory(memory, LIMITS.memoryMB);
  if (memory > LIMITS.memoryMB) report.problem(`${memory} MB resident at the end, where ${LIMITS.memoryMB} are allowed`);
}

/** A uniform 31-bit number, derived from the seed and a request's index. */
function mixed(index) {
  return createHash("sha256").update(`${seed}.${index}`).digest().readUInt32LE() >>> 1;
}
