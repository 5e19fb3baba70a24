import type { EvaluationHandlers } from "../binding.ts";
import { calledUser } from "./called-user.ts";
import { toInitialized } from "./initialized.ts";

export const initializeHandlers = {
  async initializeClient({ body, caller, rulesets }) {
    const { projectID, scope } = caller.credentials;
    const { evaluator } = await rulesets.view(projectID, scope);
    const user = calledUser(body.user, body.statsigMetadata, caller);
    const initialized = toInitialized(evaluator.initialize(user, { hash: body.hash ?? "djb2" }), user);
    const isHeld = (body.sinceTime ?? 0) > 0 && body.full_checksum === initialized.full_checksum;
    return { status: 200, body: isHeld ? { has_updates: false } : initialized };
  },
} satisfies Partial<EvaluationHandlers>;
