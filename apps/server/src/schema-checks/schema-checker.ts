import { Worker } from "node:worker_threads";
import { AppError } from "../common/errors.ts";
import { createFairQueue } from "../common/fair-queue.ts";
import type { CheckSchema, Outcome } from "./schema-check.ts";

export type SchemaChecker = {
  /** Projects have turns. @throws AppError unavailable if too many checks of the project are queued, or of all */
  check(projectID: string, ...given: Parameters<CheckSchema>): ReturnType<CheckSchema>;
  /** Ends the thread, and rejects queued checks. */
  close(): Promise<void>;
};

export type SchemaCheckerOptions = {
  /** CPU time for compiling a schema and checking all values, ms. On a busy machine this takes longer by the clock. */
  timeLimitMs?: number;
  /** The most queued checks of each project, and of all. */
  maxQueued?: { each: number; all: number };
  /** How long a check may be queued, ms. */
  queueTimeoutMs?: number;
  /** The thread ends after this time without a check, ms. */
  idleTimeoutMs?: number;
  /** The largest heap of the thread, MiB. */
  maxHeapMb?: number;
};

type Job = { schema: string; values: unknown[]; queuedAt: number; resolve(outcome: Outcome): void; reject(error: unknown): void };
type Thread = { worker: Worker; isReady: boolean };

const TIME_LIMIT_MS = 1_000;
const MAX_QUEUED = { each: 16, all: 128 };
/** A check may queue for this long: its write holds a connection to the database during that time. */
const QUEUE_TIMEOUT_MS = 2_000;
/** On a busy machine a check may take this many times its limit by the clock. */
const MAX_TIME_FACTOR = 10;
const START_TIMEOUT_MS = 10_000;
const IDLE_TIMEOUT_MS = 30_000;
const MAX_HEAP_MB = 128;

const TOO_SLOW: Outcome = { fault: "takes too long to check. Simplify its patterns and references" };
const TOO_LARGE: Outcome = { fault: "takes too much memory to check. Simplify its patterns and references" };

/**
 * Checks schemas of callers in a worker thread, one at a time. Their patterns may backtrack and their references recurse without bound, and
 * only terminating the thread stops them. The thread starts with the first check and ends when it is idle.
 */
export function createSchemaChecker(options: SchemaCheckerOptions = {}): SchemaChecker {
  const {
    timeLimitMs = TIME_LIMIT_MS,
    maxQueued = MAX_QUEUED,
    queueTimeoutMs = QUEUE_TIMEOUT_MS,
    idleTimeoutMs = IDLE_TIMEOUT_MS,
    maxHeapMb = MAX_HEAP_MB,
  } = options;
  const queue = createFairQueue<Job>();
  let thread: Thread | undefined;
  let running: Job | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  return {
    check: (projectID, schema, values) =>
      new Promise((resolve, reject) => {
        if (isClosed || queue.count(projectID) >= maxQueued.each || queue.size >= maxQueued.all) return reject(overloaded());
        queue.add(projectID, { schema, values, queuedAt: performance.now(), resolve, reject });
        if (running === undefined) next();
      }),
    async close() {
      isClosed = true;
      for (const { reject } of queue.clear()) reject(overloaded());
      running?.reject(overloaded());
      await end();
    },
  };

  function next(): void {
    clearTimeout(timer);
    running = queue.take()?.item;
    if (running === undefined) {
      timer = setTimeout(() => void end(), idleTimeoutMs);
      timer.unref();
    } else if (performance.now() - running.queuedAt > queueTimeoutMs) {
      running.reject(overloaded());
      next();
    } else run(running);
  }

  function run({ schema, values }: Job): void {
    thread ??= start();
    thread.worker.postMessage({ schema, values });
    if (thread.isReady) limit();
    else
      timer = setTimeout(
        () => fail(new Error(`The thread that checks schemas did not start in ${START_TIMEOUT_MS} ms.`)),
        START_TIMEOUT_MS,
      );
  }

  function limit(): void {
    const [cpuBefore, startedAt] = [cpuMs(), performance.now()];
    wait(timeLimitMs);

    function wait(ms: number): void {
      clearTimeout(timer);
      timer = setTimeout(() => {
        // The thread cannot have used more CPU time than the process.
        const left = timeLimitMs - (cpuMs() - cpuBefore);
        if (left > 0 && performance.now() - startedAt < MAX_TIME_FACTOR * timeLimitMs) wait(left);
        else finish(TOO_SLOW, true);
      }, ms);
    }
  }

  function start(): Thread {
    const worker = new Worker(new URL("./schema-worker.mjs", import.meta.url), {
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    });
    const started: Thread = { worker, isReady: false };
    // Ignore events of a thread that was terminated.
    const ifCurrent = (work: () => void) => void (thread === started && work());
    worker.on("message", (message: "ready" | Outcome) =>
      ifCurrent(() => {
        if (message !== "ready") return finish(message);
        started.isReady = true;
        if (running !== undefined) limit();
      }),
    );
    worker.on("error", (error: NodeJS.ErrnoException) =>
      ifCurrent(() => (error.code === "ERR_WORKER_OUT_OF_MEMORY" ? finish(TOO_LARGE, true) : fail(error))),
    );
    worker.unref();
    return started;
  }

  function finish(outcome: Outcome, endsThread = false): void {
    running?.resolve(outcome);
    if (endsThread) void end();
    next();
  }

  function fail(error: Error): void {
    running?.reject(error);
    void end();
    next();
  }

  async function end(): Promise<void> {
    clearTimeout(timer);
    const ended = thread;
    thread = undefined;
    await ended?.worker.terminate();
  }
}

/** The CPU time of the process, ms. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function overloaded(): AppError {
  return new AppError("unavailable", "Too many JSON Schema checks are queued. Try again shortly.");
}
