import type { KeyScope } from "../../src/common/context.ts";
import { replicaRulesets } from "./rulesets.ts";
import type { TestServer } from "./server.ts";

/** Users of production, including ones that the contract's examples override. */
const USERS = ["first", "u1", "alice@example.com", "staff"].map((userID) => ({ userID, statsigEnvironment: { tier: "production" } }));
/** Fields that change with every version of a spec and every change of a project. */
const COUNTED = new Set(["version", "time", "checksum", "full_checksum"]);

/**
 * Reads again from the database everything that applications receive outside a limited key's reach. This is the ruleset of a server key with
 * the given limits, the evaluation of users in production by a key without limits, and the ids of segments.
 */
export async function seenBy(server: TestServer, limits: Partial<KeyScope>): Promise<unknown> {
  const rulesets = replicaRulesets(server);
  try {
    const view = (given: Partial<KeyScope>) => rulesets.view("default", { type: "SERVER", environments: [], targetApps: [], ...given });
    const [limited, unlimited] = [await view(limits), await view({})];
    const ruleset = JSON.parse(Buffer.concat(await limited.v1.pieces("identity")).toString());
    const evaluated = limits.environments && USERS.map((user) => unlimited.evaluator.initialize(user, { hash: "none" }));
    const ids = await server.database.db.$queryRaw`select "segmentID", id from segment_id order by 1, 2`;
    return withoutCounts({ ruleset, evaluated, ids });
  } finally {
    await rulesets.close();
  }
}

function withoutCounts(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (name, one) => (COUNTED.has(name) ? undefined : one));
}
