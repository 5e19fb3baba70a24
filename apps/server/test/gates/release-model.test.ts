import { createConsoleClient, type Schema } from "@gatehouse/client";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeKey } from "../support/keys.ts";
import { HOUR_MS, phase, releasing, toNewZealand, toStaff } from "../support/releasing.ts";
import { startServer, type TestServer } from "../support/server.ts";

// Random actions and passing time, compared with a model that knows only lists of users and one timer.

let server: TestServer;
let approver: ReturnType<typeof createConsoleClient>;
beforeAll(async () => {
  server = await startServer();
  const { key } = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_write"] });
  approver = createConsoleClient({ baseUrl: server.url, apiKey: key, retry: { attempts: 1 } });
});
afterAll(() => server.close());

const { gate: makeGate, release, passing, pass } = releasing(() => server);

const PHASES = ["staff", "nz", "all"] as const;
const USERS: Record<(typeof PHASES)[number], string[]> = { staff: ["staff"], nz: ["staff", "nz"], all: ["staff", "nz", "other"] };

type Shape = { hours: number; requiredReview: boolean }[];
type Action =
  | { type: "approve" | "pause" | "resume" | "skip"; phase: number }
  | { type: "complete" | "abort" }
  | { type: "pass"; hours: number };

const phaseIndex = fc.nat({ max: 2 });
const shape = fc.array(fc.record({ hours: fc.constantFrom(0, 1, 2), requiredReview: fc.boolean() }), { minLength: 3, maxLength: 3 });
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant("pass" as const), hours: fc.constantFrom(0.5, 1, 3) }) },
  { weight: 8, arbitrary: fc.record({ type: fc.constantFrom("approve" as const, "pause", "resume", "skip"), phase: phaseIndex }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom("complete" as const, "abort") }) },
);

/** A release as a person would keep track of it on paper. */
class Model {
  /** The phase that it is in; 3 once everyone has the change. */
  index = 0;
  state: "running" | "waiting" | "paused" | "aborted" = "running";
  left = 0;
  /** The users that have the change. */
  users: string[] = [];

  readonly shape: Shape;

  constructor(shape: Shape) {
    this.shape = shape;
    this.enter(0, false);
  }

  enter(index: number, isApproved: boolean): void {
    this.index = index;
    const next = this.shape[index];
    if (!next) {
      this.give(2);
      return;
    }
    this.state = next.requiredReview && !isApproved ? "waiting" : "running";
    if (this.state === "waiting") return;
    this.give(index);
    this.left = next.hours;
    if (next.hours === 0) this.enter(index + 1, false);
  }

  give(index: number): void {
    this.users = USERS[PHASES[index] as "all"];
  }

  get isOver(): boolean {
    return this.index === 3 || this.state === "aborted";
  }

  /** @returns whether the action is possible */
  act(given: Action): boolean {
    if (given.type === "pass") {
      if (this.isOver || this.state !== "running") return true;
      this.left -= given.hours;
      if (this.left <= 0) this.enter(this.index + 1, false);
      return true;
    }
    if (this.isOver) return false;
    switch (given.type) {
      case "abort":
        this.state = "aborted";
        this.users = [];
        return true;
      case "complete":
        this.index = 3;
        this.give(2);
        return true;
      case "skip":
        if (given.phase <= this.index) return false;
        this.give(given.phase - 1);
        this.enter(given.phase, false);
        return true;
      case "approve":
        if (this.state !== "waiting" || given.phase !== this.index) return false;
        this.enter(this.index, true);
        return true;
      case "pause":
      case "resume": {
        const [from, to] = given.type === "pause" ? (["running", "paused"] as const) : (["paused", "running"] as const);
        if (this.state !== from || given.phase !== this.index) return false;
        this.state = to;
        return true;
      }
    }
  }

  get status(): Schema<"ReleaseStatus"> {
    if (this.state === "aborted") return "ABORTED";
    if (this.index === 3) return "COMPLETED";
    return ({ running: "IN_PROGRESS", waiting: "WAITING_FOR_REVIEW", paused: "PAUSED" } as const)[this.state];
  }
}

/** @returns whether the server did it */
async function act(id: string, given: Action): Promise<boolean> {
  if (given.type === "pass") {
    await pass(given.hours * HOUR_MS);
    return true;
  }
  const path = { id };
  const body = { phaseID: "phase" in given ? (PHASES[given.phase] as string) : "" };
  const calls = {
    approve: () => approver.approveRelease({ path, body }),
    pause: () => approver.pauseRelease({ path, body }),
    resume: () => approver.resumeRelease({ path, body }),
    skip: () => approver.skipRelease({ path, body }),
    complete: () => approver.completeRelease({ path }),
    abort: () => approver.abortRelease({ path }),
  };
  return calls[given.type]().then(
    () => true,
    ({ status }) => {
      expect(status).toBe(409);
      return false;
    },
  );
}

test("any actions at any time leave a release and its users as a model has them", async () => {
  await fc.assert(
    fc.asyncProperty(shape, fc.array(action, { maxLength: 12 }), async (given, actions) => {
      const [a, b, c] = given.map(({ hours, requiredReview }) => ({ timeIntervalMs: hours * HOUR_MS, requiredReview }));
      const gateID = await makeGate([toStaff(a), toNewZealand(b), phase("all", [{ type: "public" }], c)]);
      const { id } = await release(gateID);
      const model = new Model(given);
      const compare = async () => {
        const { status, currentPhaseID, currentPhaseEndTime, remainingMs } = (await server.client.getRelease({ path: { id } })).data;
        const { isOver, index, left } = model;
        expect({ status, currentPhaseID, users: await passing(gateID) }).toEqual({
          status: model.status,
          currentPhaseID: isOver ? null : PHASES[index],
          users: model.users,
        });
        expect(currentPhaseEndTime).toBe(model.status === "IN_PROGRESS" ? server.clock.now + left * HOUR_MS : null);
        expect(remainingMs).toBe(model.status === "PAUSED" ? left * HOUR_MS : null);
      };
      await compare();
      for (const one of actions) {
        expect([one, await act(id, one)]).toEqual([one, model.act(one)]);
        await compare();
      }
    }),
    { numRuns: 40 },
  );
}, 120_000);
