import type { User } from "@gatehouse/evaluation";
import { notFound } from "../../errors.ts";
import type { EvaluationHandlers } from "../binding.ts";
import { flagIndex } from "../flag-index.ts";
import type { RulesetView } from "../rulesets/views.ts";
import { deviceOf, withoutPrivate } from "../user.ts";
import { contextToUser } from "./context-to-user.ts";
import { evaluateFlag } from "./flag-evaluation.ts";
import { flagsTag, isHeld } from "./flags-tag.ts";
import { viewSince } from "./fresh-view.ts";
import { isLasting } from "./lasting.ts";
import { knownChange } from "./ruleset-version.ts";

const STREAM = "/ofrep/v1/stream";
/** How long an application may be hidden before it closes its stream, s. */
const INACTIVITY_DELAY = 120;
/** The `source` of exposures. */
const SOURCE = "ofrep";

export const ofrepHandlers = {
  async evaluateFlag({ path, body, caller, rulesets, intake }) {
    const { projectID, scope } = caller.credentials;
    const { ruleset, evaluator } = await rulesets.view(projectID, scope);
    const index = flagIndex(ruleset);
    const found = index.flags.get(path.key);
    if (found === undefined) throw notFound("Flag", path.key);
    const user = contextToUser(body.context, deviceOf(caller));
    const { flag, exposure } = evaluateFlag(found, index, evaluator, user);
    if (exposure) intake.expose(projectID, { ...exposure, name: flag.key, user: withoutPrivate(user), source: SOURCE });
    return { status: 200, body: flag };
  },

  async evaluateFlags({ query, body, headers, caller, rulesets, tokenFor }) {
    const view = await viewSince(rulesets, caller.credentials, knownChange(query));
    const user = contextToUser(body.context, deviceOf(caller));
    const requestUri = `${STREAM}?token=${encodeURIComponent(tokenFor(STREAM))}`;
    const evaluated = isLasting(view.ruleset) ? undefined : evaluateAll(view, user);
    const ETag = flagsTag(requestUri, evaluated ? JSON.stringify(evaluated) : `${view.checksum} ${JSON.stringify(user)}`);
    if (isHeld(headers["if-none-match"], ETag)) return { status: 304, headers: { ETag } };
    const eventStreams = [{ type: "sse" as const, endpoint: { requestUri }, inactivityDelaySec: INACTIVITY_DELAY }];
    return { status: 200, headers: { ETag }, body: { flags: evaluated ?? evaluateAll(view, user), eventStreams } };
  },

  async streamFlagChanges({ caller, headers, flagStreams }) {
    const stream = await flagStreams.open(caller.credentials, headers["last-event-id"], caller.now);
    return { status: 200, headers: { "Cache-Control": "no-cache, no-transform" }, stream };
  },
} satisfies Partial<EvaluationHandlers>;

function evaluateAll({ ruleset, evaluator }: RulesetView, user: User) {
  const index = flagIndex(ruleset);
  return Array.from(index.flags.values(), (flag) => evaluateFlag(flag, index, evaluator, user).flag);
}
