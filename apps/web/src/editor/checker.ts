import type { CheckReply, CheckRequest } from "./check-protocol.ts";
import type { Fault } from "./json5-tree.ts";
import { type RootKind, textFaults } from "./text-faults.ts";

/** The parts of a web worker that the checker needs. */
export type CheckWorker = Pick<Worker, "postMessage" | "terminate" | "onmessage" | "onerror">;

export type Check = { text: string; schema: unknown; rootKind: RootKind };

export type Checker = {
  /** Checks a text. A newer check replaces one that has not ended, whose faults are never reported. */
  check(check: Check): void;
  close(): void;
};

type CheckerOptions = {
  startWorker(): CheckWorker;
  /** Receives the faults of the latest check. `isComplete`: its schema has been checked too, or cannot be. */
  onFaults(faults: Fault[], isComplete: boolean): void;
  /** How long a check may take once the worker has started, ms. */
  timeLimitMs?: number;
};

const TIME_LIMIT_MS = 2_000;

/** Longer texts are left to the server. In characters. */
const MAX_LENGTH = 1_000_000;

const TOO_SLOW = "This schema takes too long to check here. It’s checked when you save.";
const TOO_LONG = "This text is too long to check here. It’s checked when you save.";
const NO_WORKER = "This schema can’t be checked here. The text is checked when you save.";

/**
 * Checks texts in a web worker, one at a time. A schema's patterns may backtrack and its references multiply without end, and only
 * terminating the worker stops them: the page stays responsive. A schema that took too long is not tried again. Where no worker can start,
 * only the text is checked.
 */
export function createChecker({ startWorker, onFaults, timeLimitMs = TIME_LIMIT_MS }: CheckerOptions): Checker {
  let worker: CheckWorker | undefined;
  let isReady = false;
  let running: CheckRequest | undefined;
  let next: CheckRequest | undefined;
  let faultsOfText: Fault[] = [];
  let slowSchema: unknown;
  let isBroken = false;
  let lastID = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  return {
    check({ text, schema, rootKind }) {
      lastID += 1;
      if (text.length > MAX_LENGTH) return notice(TOO_LONG);
      next = { id: lastID, text, schema, rootKind };
      if (isBroken) checkText();
      else if (running === undefined) run();
    },
    close() {
      lastID += 1;
      next = undefined;
      stop();
    },
  };

  function run(): void {
    running = next;
    next = undefined;
    if (running === undefined) return;
    if (worker === undefined) start();
    else send(running);
  }

  function start(): void {
    try {
      worker = startWorker();
    } catch {
      fail();
      return;
    }
    worker.onmessage = ({ data }: MessageEvent<CheckReply>) => receive(data);
    // One that started and fails has run out of memory.
    worker.onerror = () => (isReady ? giveUp() : fail());
  }

  function send(request: CheckRequest): void {
    if (!isReady) return;
    faultsOfText = [];
    const isSlow = request.schema !== null && request.schema !== undefined && request.schema === slowSchema;
    worker?.postMessage(isSlow ? { ...request, schema: null } : request);
    timer = setTimeout(giveUp, timeLimitMs);
  }

  function receive(reply: CheckReply): void {
    if (reply.kind === "ready") {
      isReady = true;
      if (running !== undefined) send(running);
      return;
    }
    if (reply.id !== running?.id) return;
    const { schema } = running;
    const isLatest = reply.id === lastID;
    if (reply.kind === "text") {
      faultsOfText = reply.faults;
      // An error of the text ends the check: no schema adds to it.
      if (isLatest && reply.faults.length > 0) onFaults(reply.faults, false);
      return;
    }
    clearTimeout(timer);
    running = undefined;
    if (isLatest) onFaults(isKnownSlow(schema) ? [...reply.faults, warning(TOO_SLOW)] : reply.faults, true);
    run();
  }

  function isKnownSlow(schema: unknown): boolean {
    return schema !== null && schema !== undefined && schema === slowSchema;
  }

  function giveUp(): void {
    const late = running;
    stop();
    if (late === undefined) return;
    slowSchema = late.schema;
    if (late.id === lastID) onFaults([...faultsOfText, warning(TOO_SLOW)], true);
    run();
  }

  function fail(): void {
    next ??= running;
    stop();
    isBroken = true;
    checkText();
  }

  /** Without a worker, the text alone is checked: that has an end. */
  function checkText(): void {
    if (next === undefined) return;
    const { faults } = textFaults(next.text, next.rootKind);
    const hasSchema = next.schema !== null && next.schema !== undefined;
    next = undefined;
    onFaults(hasSchema ? [...faults, warning(NO_WORKER)] : faults, true);
  }

  function stop(): void {
    clearTimeout(timer);
    worker?.terminate();
    worker = undefined;
    running = undefined;
    isReady = false;
  }

  function notice(message: string): void {
    onFaults([warning(message)], true);
  }
}

const warning = (message: string): Fault => ({ from: 0, to: 0, message, severity: "warning" });
