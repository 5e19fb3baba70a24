import type { Schema, WritableSchema } from "@gatehouse/client";
import { releaseGuardrails, releases } from "../../src/jobs/releases.ts";
import type { TestServer } from "./server.ts";

export const HOUR_MS = 3_600_000;
const STAFF = "staff@example.com";

/** The users that the phases of a test's pipeline are for, and one for whom no phase is. */
const USERS = { staff: { userID: "s", email: STAFF }, nz: { userID: "n", country: "NZ" }, other: { userID: "o" } };

type Phase = WritableSchema<"GivenReleasePhase">;

/** A phase for some users: the staff, those of a country, or everyone. */
export function phase(name: string, conditions: Schema<"Condition">[], given: Partial<Phase> = {}): Phase {
  return { id: name, name, timeIntervalMs: HOUR_MS, requiredReview: false, rules: [{ name, conditions }], ...given };
}

export const toStaff = (given: Partial<Phase> = {}) => phase("staff", [{ type: "email", operator: "any", targetValue: [STAFF] }], given);
export const toNewZealand = (given: Partial<Phase> = {}) => phase("nz", [{ type: "country", operator: "any", targetValue: ["NZ"] }], given);

export const EVERYONE = { name: "Everyone", passPercentage: 100, conditions: [] };

/** Releases changes on a test's server. */
export function releasing(server: () => TestServer) {
  let count = 0;
  const env = () => ({ database: server().database, log: server().log, now: () => server().clock.now });

  const pipelines = {
    async create(...phases: Phase[]): Promise<string> {
      return (await server().client.createReleasePipeline({ body: { name: `pipeline ${++count}`, phases } })).data.id;
    },
  };

  return {
    pipelines,

    /** Begins the phases that are due, as the server's job does. */
    advance: () => releases.run(env()),

    /** Pauses what guardrails forbid, as the server's job does. */
    guard: () => releaseGuardrails.run(env()),

    /** Moves the clock, and begins the phases that are due then. */
    async pass(ms: number): Promise<void> {
      server().clock.now += ms;
      await releases.run(env());
    },

    /** Makes a gate that nobody passes, with a pipeline of these phases. */
    async gate(phases: Phase[], given: Partial<WritableSchema<"GateCreate">> = {}): Promise<string> {
      const releasePipelineID = await pipelines.create(...phases);
      return (await server().client.createGate({ body: { name: `released ${++count}`, releasePipelineID, ...given } })).data.id;
    },

    /** Changes a gate so that everyone passes, in a release. */
    async release(id: string): Promise<Schema<"Release">> {
      await server().client.patchGate({ path: { id }, body: { rules: [EVERYONE] } });
      const { data } = await server().client.listReleases({ query: { gateID: id } });
      return data[0] as Schema<"Release">;
    },

    /** Which users pass a gate now. */
    async passing(id: string, environment = "production"): Promise<string[]> {
      const { data } = await server().client.evaluateUsers({
        body: { users: Object.values(USERS), environment, entities: [{ type: "gate", id }] },
      });
      return Object.keys(USERS).filter((_, index) => data[index]?.results[0]?.value === true);
    },
  };
}
