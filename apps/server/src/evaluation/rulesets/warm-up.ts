import { setImmediate } from "node:timers/promises";
import type { KeyScope } from "../../common/context.ts";
import type { Rulesets } from "./rulesets.ts";

/**
 * Compiles the rulesets of these keys before their first requests. Other requests that arrive during that go first.
 * @throws AppError unavailable if the database is away
 */
export async function warmUp({ view }: Pick<Rulesets, "view">, keys: { projectID: string; scope: KeyScope }[]): Promise<void> {
  for (const { projectID, scope } of keys) {
    await setImmediate();
    const { evaluator, v1, v2 } = await view(projectID, scope);
    await setImmediate();
    if (scope.type === "CLIENT") evaluator.initializeMembers({}, { hash: "djb2" });
    else {
      for (const shape of [v1, v2]) {
        await setImmediate();
        await shape.pieces("identity");
      }
    }
  }
}
