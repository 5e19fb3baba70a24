import type { Schema } from "@gatehouse/contract/evaluation";
import type { Evaluator, User } from "@gatehouse/evaluation";
import { notFound } from "../../common/errors.ts";
import type { NotedFlag } from "../../common/tracing.ts";
import type { EvaluationHandlers } from "../binding.ts";
import { checksum } from "../checksum.ts";
import { readDevice, withoutPrivate } from "../user.ts";
import { contextToUser } from "./context-to-user.ts";
import { evaluateFlag, evaluateFlags } from "./flag-evaluation.ts";
import { flagsTag, matchesTag } from "./flags-tag.ts";
import { knownChange } from "./ruleset-version.ts";
import { isTimeIndependent } from "./time-independence.ts";

const STREAM_PATH = "/ofrep/v1/stream";
/** An application closes its stream after being hidden for this long. */
const INACTIVITY_DELAY_S = 120;
/** The `source` of exposures. */
const EXPOSURE_SOURCE = "ofrep";
const FLAGS_OPENING = Buffer.from('{"flags":[');

export const ofrepHandlers = {
  async evaluateFlag({ path, body, caller, rulesets, intake, noteEvaluations }) {
    const { projectID, scope } = caller.credentials;
    const { evaluator, origin } = await rulesets.view(projectID, scope);
    const user = contextToUser(body.context, readDevice(caller));
    const flag = evaluateFlag(evaluator, path.key, user);
    if (flag === undefined) throw notFound("Flag", path.key);
    noteEvaluations(1, () => [readFlag(flag.json)]);
    const { json, exposure } = flag;
    if (exposure) intake.expose(projectID, { ...exposure, name: path.key, user: withoutPrivate(user), source: EXPOSURE_SOURCE, origin });
    return { status: 200, json: [json] };
  },

  async evaluateFlags({ query, body, headers, caller, basePath, rulesets, tokenFor, noteEvaluations }) {
    const { projectID, scope } = caller.credentials;
    const { evaluator, ruleset, ...view } = (await rulesets.viewSince(projectID, scope, knownChange(query))).view;
    const user = contextToUser(body.context, readDevice(caller));
    const requestUri = `${basePath}${STREAM_PATH}?token=${encodeURIComponent(tokenFor(STREAM_PATH))}`;
    const keys = flagKeys(body.context);
    const evaluate = () => {
      const flags = flagList(evaluator, user, keys);
      noteEvaluations(flags.count, () => readFlags(flags.pieces));
      return flags.pieces;
    };
    const flags = isTimeIndependent(ruleset) ? undefined : evaluate();
    const decisive = flags ? checksum(Buffer.concat(flags)) : `${view.checksum} ${JSON.stringify([user, keys])}`;
    const ETag = flagsTag(requestUri, decisive);
    if (matchesTag(headers["if-none-match"], ETag)) return { status: 304, headers: { ETag } };
    const eventStreams = [{ type: "sse" as const, endpoint: { requestUri }, inactivityDelaySec: INACTIVITY_DELAY_S }];
    const rest = Buffer.from(`],"eventStreams":${JSON.stringify(eventStreams)}}`);
    return { status: 200, headers: { ETag }, json: [FLAGS_OPENING, ...(flags ?? evaluate()), rest] };
  },

  async streamFlagChanges({ caller, headers, flagStreams }) {
    const stream = await flagStreams.open(caller.credentials, headers["last-event-id"], caller.now);
    return { status: 200, headers: { "Cache-Control": "no-cache, no-transform" }, stream };
  },
} satisfies Partial<EvaluationHandlers>;

/** The flags for the user, as pieces of JSON: the items of a list. @param keys those to evaluate; all if undefined */
function flagList(evaluator: Evaluator, user: User, keys: string[] | undefined): { count: number; pieces: Uint8Array[] } {
  if (keys) {
    const items = keys.flatMap((key) => evaluateFlag(evaluator, key, user)?.json ?? []);
    return { count: items.length, pieces: listed(items) };
  }
  const pieces = evaluateFlags(evaluator, user);
  const [first] = pieces;
  if (first) pieces[0] = first.subarray(1);
  return { count: pieces.length, pieces };
}

const COMMA = Buffer.from(",");

function listed(items: Uint8Array[]): Uint8Array[] {
  return items.flatMap((item, index) => (index === 0 ? [item] : [COMMA, item]));
}

/** The keys of the flags that a context asks for, each once. Undefined if it asks for all. */
function flagKeys({ flags }: Schema<"EvaluationContext">): string[] | undefined {
  if (flags === undefined || flags === null) return undefined;
  const keys = typeof flags === "string" ? flags.split(",").map((key) => key.trim()) : flags;
  return [...new Set(keys)];
}

/** The flags of a list, one by one. Each piece is a flag, perhaps after a comma, or only a comma. */
function* readFlags(pieces: readonly Uint8Array[]): Iterable<NotedFlag> {
  for (const piece of pieces) if (piece !== COMMA) yield readFlag(piece[0] === COMMA[0] ? piece.subarray(1) : piece);
}

function readFlag(json: Uint8Array): NotedFlag {
  const { key, variant, reason } = JSON.parse(Buffer.from(json).toString()) as Schema<"EvaluatedFlag">;
  return { key, variant: variant ?? null, reason };
}
