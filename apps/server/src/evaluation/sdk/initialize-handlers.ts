import type { EvaluationHandlers } from "../binding.ts";
import { calledUser } from "./called-user.ts";
import { laterThan } from "./config-specs-handlers.ts";
import { initialized } from "./initialized.ts";

export const initializeHandlers = {
  async initializeClient({ body, caller, rulesets, noteEvaluations }) {
    const { projectID, scope } = caller.credentials;
    const sinceTime = Math.min(body.sinceTime ?? 0, Number.MAX_SAFE_INTEGER);
    const { view, isLatest } = await rulesets.viewSince(projectID, scope, sinceTime);
    const time = isLatest && view.time < sinceTime ? laterThan(sinceTime) : view.time;
    noteEvaluations(1);
    const user = calledUser(body.user, body.statsigMetadata, caller);
    const { checksum, json } = initialized(view.evaluator, time, user, body.hash ?? "djb2");
    if (sinceTime > 0 && body.full_checksum === checksum) return { status: 200, body: { has_updates: false } };
    return { status: 200, json };
  },
} satisfies Partial<EvaluationHandlers>;
