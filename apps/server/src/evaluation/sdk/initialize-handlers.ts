import type { EvaluationHandlers } from "../binding.ts";
import { calledUser } from "./called-user.ts";
import { initialized } from "./initialized.ts";

export const initializeHandlers = {
  async initializeClient({ body, caller, rulesets }) {
    const { projectID, scope } = caller.credentials;
    const { evaluator, time } = await rulesets.view(projectID, scope);
    const user = calledUser(body.user, body.statsigMetadata, caller);
    const { checksum, json } = initialized(evaluator, time, user, body.hash ?? "djb2");
    if ((body.sinceTime ?? 0) > 0 && body.full_checksum === checksum) return { status: 200, body: { has_updates: false } };
    return { status: 200, json: [json] };
  },
} satisfies Partial<EvaluationHandlers>;
