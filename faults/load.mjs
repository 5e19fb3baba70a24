// A steady load of writes, events and reads of flags, which records acknowledgements.
import { request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { KEY, signIn } from "./cluster.mjs";
import { makePrompt } from "./evaluations.mjs";

const WRITERS = 2;
const SENDERS = 2;
const EVENTS_PER_BATCH = 5;
/** Between two requests of one writer or sender, and between two reads of one reader, ms. */
const WRITE_PAUSE_MS = 25;
const READ_PAUSE_MS = 10;
const RETRY_PAUSE_MS = 100;
/** Between two evaluations, ms. */
const EVALUATION_PAUSE_MS = 2_000;
/** From the creation of a gate until its scheduled change is due, ms: most become due while a fault lasts. */
const SCHEDULE_MS = 1_500;
/** The phases of each release, and how long one lasts, ms. */
export const PHASES = ["first", "second", "third"];
const PHASE_MS = 700;
/** Longer than any pause of a process, and than a server may need to notice that a connection is dead. */
const REQUEST_TIMEOUT_MS = 60_000;
/** After the run, unacknowledged requests are retried for this long. */
const FINISH_TIMEOUT_MS = 90_000;

const EVERYONE = { name: "Everyone", passPercentage: 100, conditions: [] };
const USER = { userID: "alice" };
export const READS = [
  ["OFREP, one flag", "POST", "/ofrep/v1/evaluate/flags/counter_0", { context: { targetingKey: "alice" } }],
  ["OFREP, all flags", "POST", "/ofrep/v1/evaluate/flags", { context: { targetingKey: "alice" } }],
  ["initialize", "POST", "/v1/initialize", { user: USER }],
  ["ruleset", "GET", "/v2/download_config_specs"],
  ["check_gate", "POST", "/v1/check_gate", { user: USER, gateName: "counter_0" }],
];

const counterName = (writer) => `counter_${writer}`;
export const counters = Array.from({ length: WRITERS }, (_, writer) => counterName(writer));

/** Starts the load. `finish` ends it and returns the acknowledgements. */
export async function startLoad({ replicas, model }) {
  const account = {
    /** Names of gates that were acknowledged, and how often each counter was. */
    gates: [],
    /** Names of gates whose scheduled change was acknowledged. */
    scheduled: [],
    /** Names of gates whose reviewed change was committed. */
    committed: [],
    updates: Object.fromEntries(counters.map((counter) => [counter, 0])),
    events: [],
    /** The number of evaluations of the prompt. */
    evaluations: 0,
    reads: Object.fromEntries(READS.map(([title]) => [title, { count: 0, slowest: 0 }])),
    /** Reads that failed although their replica was not killed, invalid responses, and writes that never succeeded. */
    failures: [],
    /** The number of retries of writes and batches. */
    retries: 0,
    /** When a write was last acknowledged, by performance.now(). */
    lastWrite: 0,
  };
  let isOver = false;
  let giveUpAt = Number.POSITIVE_INFINITY;

  for (const name of counters) await write(0, "POST", "/console/v1/gates", { name }, `make ${name}`);
  for (const replica of replicas) await untilSeen(replica, counters);
  const person = await signIn(replicas[0]);
  const phases = PHASES.map((name) => ({ name, timeIntervalMs: PHASE_MS, requiredReview: false, rules: [] }));
  const pipeline = await read(replicas[0], "POST", "/console/v1/release_pipelines", { name: "pipeline", phases });
  const evaluation = await makePrompt(model, (...request) => read(replicas[0], ...request));
  const loops = [
    evaluateRepeatedly(),
    ...counters.map((_, writer) => repeat((turn) => writeOnce(writer, turn))),
    ...Array.from({ length: SENDERS }, (_, sender) => repeat((turn) => sendOnce(sender, turn))),
    ...replicas.map((replica) => readOn(replica)),
  ];
  return {
    account,
    async finish() {
      isOver = true;
      giveUpAt = Date.now() + FINISH_TIMEOUT_MS;
      await Promise.all(loops);
    },
  };

  async function repeat(work) {
    for (let turn = 0; !isOver; turn++) {
      await work(turn);
      await pause(WRITE_PAUSE_MS);
    }
  }

  /**
   * Every fifth write creates a gate, whose rules are released in phases, and schedules a change of it. Every fifth has a change reviewed.
   * The others increment the writer's counter.
   */
  async function writeOnce(writer, turn) {
    const counter = counterName(writer);
    if (turn % 5 === 2) return reviewOnce(writer, turn);
    if (turn % 5 === 4) {
      const name = `gate_${writer}_${turn}`;
      const released = { name, rules: [EVERYONE], releasePipelineID: pipeline.data.id };
      if (!(await write(writer + turn, "POST", "/console/v1/gates", released, name))) return;
      account.gates.push(name);
      const applyAt = Date.now() + SCHEDULE_MS;
      const path = `/console/v1/gates/${name}?applyAt=${applyAt}`;
      const description = "Scheduled.";
      if (await write(writer + turn, "PATCH", path, { description }, `schedule ${name}`, { applyAt })) account.scheduled.push(name);
      return;
    }
    const number = account.updates[counter] + 1;
    const rules = [{ name: String(number), passPercentage: 100, conditions: [] }];
    const path = `/console/v1/gates/${counter}`;
    if (await write(writer + turn, "PATCH", path, { rules }, `${counter} ${number}`)) account.updates[counter] = number;
  }

  /** Requests a change that needs a review, approves it, and commits it. */
  async function reviewOnce(writer, turn) {
    const first = writer + turn;
    const name = `reviewed_${writer}_${turn}`;
    const path = `/console/v1/gates/${name}`;
    if (!(await write(first, "POST", "/console/v1/gates", { name, isEnabled: false, rules: [EVERYONE] }, name))) return;
    // A gate that required reviews from the start could be reviewed itself: a replica that cannot compare its rules in time asks for a review.
    const reviewSettings = { requiredReview: true };
    if (!(await write(first, "PATCH", path, { reviewSettings }, `protect ${name}`))) return;
    if (!(await write(first, "PUT", `${path}/enable`, undefined, `request ${name}`))) return;
    const found = await untilRead(first, `/console/v1/reviews?entityType=gate&entityID=${name}`);
    const review = `/console/v1/reviews/${found?.data[0]?.id}`;
    if (
      !(await write(first, "POST", `${review}/approve`, undefined, `approve ${name}`, {
        headers: { ...person, "SERVICE-API-KEY": undefined },
      }))
    )
      return;
    if (await write(first, "POST", `${review}/commit`, undefined, `commit ${name}`)) account.committed.push(name);
  }

  async function evaluateRepeatedly() {
    for (let turn = 0; !isOver; turn++) {
      if (await untilKept(turn, "POST", evaluation, undefined, { "Idempotency-Key": `evaluate-${turn}` })) account.evaluations += 1;
      await pause(EVALUATION_PAUSE_MS);
    }
  }

  /** Reads from the replicas in turns until one answers. */
  async function untilRead(first, path) {
    for (let attempt = 0; Date.now() < giveUpAt; attempt++) {
      const found = await read(replicas[(first + attempt) % replicas.length], "GET", path).catch(() => undefined);
      if (found?.data?.length > 0) return found;
      await pause(RETRY_PAUSE_MS);
    }
    account.failures.push(`GET ${path} was not answered within ${FINISH_TIMEOUT_MS} ms of the end`);
    return undefined;
  }

  /** Retries a write until it is acknowledged. Its Idempotency-Key makes that safe. */
  async function write(first, method, path, body, key, { applyAt, headers } = {}) {
    const isKept = await untilKept(first, method, path, body, { ...headers, "Idempotency-Key": key.replaceAll(" ", "-") }, applyAt);
    if (isKept) account.lastWrite = performance.now();
    return isKept;
  }

  async function sendOnce(sender, turn) {
    const values = Array.from({ length: EVENTS_PER_BATCH }, (_, index) => `${sender}.${turn}.${index}`);
    const events = values.map((value) => ({ eventName: "fault_run", value, time: 1 }));
    if (await untilKept(sender + turn, "POST", "/v1/log_event", { events })) account.events.push(...values);
  }

  /**
   * Tries the replicas in turns.
   * @param applyAt when a scheduled change is due, ms. From then on the server refuses it, for example if the replica was paused.
   * @returns whether it was acknowledged
   */
  async function untilKept(first, method, path, body, headers, applyAt = Number.POSITIVE_INFINITY) {
    for (let attempt = 0; Date.now() < giveUpAt; attempt++) {
      const replica = replicas[(first + attempt) % replicas.length];
      const status = await send(replica, method, path, body, headers);
      if (status >= 200 && status < 300) return true;
      if (status === 400 && Date.now() >= applyAt) return false;
      if (status !== undefined && status !== 503 && status !== 409) {
        account.failures.push(`${method} ${path} was answered ${status}`);
        return false;
      }
      account.retries += 1;
      await pause(RETRY_PAUSE_MS);
    }
    account.failures.push(`${method} ${path} was not acknowledged within ${FINISH_TIMEOUT_MS} ms of the end`);
    return false;
  }

  async function readOn(replica) {
    for (let turn = 0; !isOver; turn++) {
      const [title, method, path, body] = READS[turn % READS.length];
      if (!replica.isDown) await readOnce(replica, title, method, path, body);
      await pause(READ_PAUSE_MS);
    }
  }

  async function readOnce(replica, title, method, path, body) {
    const { kills } = replica;
    const begin = performance.now();
    const status = await send(replica, method, path, body);
    // A kill ended the request, and a client would ask another replica.
    if (replica.kills !== kills) return;
    const read = account.reads[title];
    read.count += 1;
    read.slowest = Math.max(read.slowest, performance.now() - begin);
    if (status !== 200) account.failures.push(`${title}, replica ${replica.number}: ${status ?? "no answer"}`);
  }
}

/** Waits for flags that were just created, since replicas learn of changes by notification. */
async function untilSeen(replica, flags) {
  for (const flag of flags) {
    const body = { context: { targetingKey: "alice" } };
    for (let tries = 0; (await send(replica, "POST", `/ofrep/v1/evaluate/flags/${flag}`, body)) !== 200; tries++) {
      if (tries === 500) throw new Error(`Replica ${replica.number} did not learn of the flag ${flag} in time.`);
      await pause(20);
    }
  }
}

async function read({ url }, method, path, body) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { "SERVICE-API-KEY": KEY, "Content-Type": "application/json" },
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    ...(body && { body: JSON.stringify(body) }),
  });
  return response.json();
}

/**
 * The status; undefined without an answer. Each request has its own connection: an idle one may be closed by the server just when it is
 * used again.
 */
function send({ url }, method, path, body, headers = {}) {
  return new Promise((resolve) => {
    const options = {
      method,
      headers: withoutUndefined({ "SERVICE-API-KEY": KEY, "Content-Type": "application/json", ...headers }),
      agent: false,
      timeout: REQUEST_TIMEOUT_MS,
    };
    const sent = request(`${url}${path}`, options, (response) => {
      response.once("end", () => resolve(response.statusCode)).once("close", () => resolve(undefined));
      response.on("error", () => {}).resume();
    });
    sent.once("timeout", () => sent.destroy()).on("error", () => resolve(undefined));
    sent.end(body && JSON.stringify(body));
  });
}

function withoutUndefined(headers) {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
}
