import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CheckReply, CheckRequest } from "./check-protocol.ts";
import { type Check, type CheckWorker, createChecker } from "./checker.ts";
import type { Fault } from "./json5-tree.ts";

/** Stands in for the browser's worker, which vitest does not have: the test decides about its answers and their time. */
class FakeWorker implements CheckWorker {
  onmessage: Worker["onmessage"] = null;
  onerror: Worker["onerror"] = null;
  requests: CheckRequest[] = [];
  isTerminated = false;

  postMessage(request: CheckRequest): void {
    this.requests.push(request);
  }

  terminate(): void {
    this.isTerminated = true;
  }

  ready(): void {
    this.send({ kind: "ready" });
  }

  reply(kind: "text" | "all", faults: Fault[] = []): void {
    this.send({ kind, id: this.requests.at(-1)?.id ?? 0, faults });
  }

  fail(): void {
    this.onerror?.call(this as unknown as Worker, new Event("error") as ErrorEvent);
  }

  private send(data: CheckReply): void {
    this.onmessage?.call(this as unknown as Worker, new MessageEvent("message", { data }));
  }
}

const fault = (message: string): Fault => ({ from: 0, to: 1, message, severity: "error" });
const text = (value: string, schema: unknown = null): Check => ({ text: value, schema, rootKind: "object" });
const TOO_SLOW = "This schema takes too long to check here. It’s checked when you save.";

let workers: FakeWorker[];
let reports: [messages: string[], isComplete: boolean][];
const current = (): FakeWorker => workers.at(-1) ?? new FakeWorker();
const sent = (): string[] => workers.flatMap(({ requests }) => requests.map((request) => request.text));

function create() {
  return createChecker({
    startWorker() {
      const worker = new FakeWorker();
      workers.push(worker);
      return worker;
    },
    onFaults: (faults, isComplete) => reports.push([faults.map(({ message }) => message), isComplete]),
    timeLimitMs: 1_000,
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  workers = [];
  reports = [];
  return () => void vi.useRealTimers();
});

describe("createChecker", () => {
  it("starts its worker with the first check and waits until it is ready", () => {
    const checker = create();
    expect(workers).toHaveLength(0);
    checker.check(text("{}"));
    expect(sent()).toEqual([]);
    current().ready();
    expect(sent()).toEqual(["{}"]);
    current().reply("all", [fault("a")]);
    expect(reports).toEqual([[["a"], true]]);
  });

  it("reports faults of the text at once, before those of the schema", () => {
    create().check(text("{", {}));
    current().ready();
    current().reply("text", [fault("a")]);
    expect(reports).toEqual([[["a"], false]]);
  });

  it("checks one text at a time, then the latest, and reports only its faults", () => {
    const checker = create();
    checker.check(text("1"));
    current().ready();
    checker.check(text("2"));
    checker.check(text("3"));
    current().reply("text", [fault("of 1")]);
    current().reply("all", [fault("of 1")]);
    expect(sent()).toEqual(["1", "3"]);
    current().reply("all", [fault("of 3")]);
    expect(reports).toEqual([[["of 3"], true]]);
  });

  it("ends a check that takes too long, and says so beside the faults of the text", () => {
    create().check(text("{}", "slow"));
    current().ready();
    current().reply("text", [fault("a")]);
    vi.advanceTimersByTime(1_000);
    expect(workers[0]?.isTerminated).toBe(true);
    expect(reports.at(-1)).toEqual([["a", TOO_SLOW], true]);
  });

  it("does not count the worker's start", () => {
    create().check(text("{}", "schema"));
    vi.advanceTimersByTime(60_000);
    expect(reports).toEqual([]);
    current().ready();
    vi.advanceTimersByTime(999);
    expect(reports).toEqual([]);
  });

  it("tries a schema that was too slow not again, but another one", () => {
    const checker = create();
    checker.check(text("1", "slow"));
    current().ready();
    vi.advanceTimersByTime(1_000);
    checker.check(text("2", "slow"));
    current().ready();
    expect(current().requests.at(-1)).toMatchObject({ text: "2", schema: null });
    current().reply("all");
    expect(reports.at(-1)).toEqual([[TOO_SLOW], true]);
    checker.check(text("3", "quick"));
    expect(current().requests.at(-1)).toMatchObject({ text: "3", schema: "quick" });
    current().reply("all");
    expect(reports.at(-1)).toEqual([[], true]);
  });

  it("goes on with a text that came during a slow check", () => {
    const checker = create();
    checker.check(text("1", "slow"));
    current().ready();
    checker.check(text("2", "quick"));
    vi.advanceTimersByTime(1_000);
    expect(workers).toHaveLength(2);
    current().ready();
    current().reply("all");
    expect(sent()).toEqual(["1", "2"]);
    expect(reports).toEqual([[[], true]]);
  });

  it("checks the text alone where the worker does not start, and says so if there is a schema", () => {
    const checker = create();
    checker.check(text("{", "schema"));
    current().fail();
    checker.check(text("{}"));
    const notice = "This schema can’t be checked here. The text is checked when you save.";
    expect(reports).toEqual([
      [['The "{" of line 1 is not closed.', notice], true],
      [[], true],
    ]);
    expect(workers).toHaveLength(1);
  });

  it("does the same where the browser refuses to start one", () => {
    const checker = createChecker({
      startWorker() {
        throw new TypeError("refused");
      },
      onFaults: (faults, isComplete) => reports.push([faults.map(({ message }) => message), isComplete]),
    });
    checker.check(text("[]"));
    expect(reports).toEqual([[["The text must be an object in braces { }."], true]]);
  });

  it("takes a worker that runs out of memory for a slow one", () => {
    create().check(text("{}", "large"));
    current().ready();
    current().fail();
    expect(reports).toEqual([[[TOO_SLOW], true]]);
  });

  it("leaves texts of more than a million characters to the server", () => {
    create().check(text("x".repeat(1_000_001)));
    expect(workers).toHaveLength(0);
    expect(reports).toEqual([[["This text is too long to check here. It’s checked when you save."], true]]);
  });

  it("reports nothing once it is closed", () => {
    const checker = create();
    checker.check(text("{}"));
    current().ready();
    checker.close();
    expect(current().isTerminated).toBe(true);
    current().reply("all", [fault("a")]);
    vi.advanceTimersByTime(5_000);
    expect(reports).toEqual([]);
  });
});
