import type { Decision, Outcome } from "./decision.ts";
import { type Evaluation, evaluate } from "./evaluate.ts";
import type { NameHash } from "./evaluator.ts";
import { initializePieces, type KeptPieces, SECOND_LIST, type SpecPiece } from "./initialize-pieces.ts";
import type { ParamStore } from "./ruleset.ts";
import { type SpecGroup, settle } from "./spec-group.ts";
import type { User } from "./user.ts";
import { utf8 } from "./utf8.ts";

/** The input of an initialize response. */
type Initialization = {
  evaluation: Evaluation;
  gates: readonly SpecGroup[];
  configs: readonly SpecGroup[];
  layers: readonly SpecGroup[];
  paramStores: Iterable<[name: string, ParamStore]>;
  hash: NameHash;
};

const GATES = utf8('"feature_gates":{');
const CONFIGS = utf8('},"dynamic_configs":{');
const LAYERS = utf8('},"layer_configs":{');
const PARAM_STORES = utf8('},"param_stores":{');

/**
 * The members of an initialize response except `time`, as pieces of JSON in UTF-8 without the enclosing braces. Most pieces are shared with
 * the responses of other users (see `settle`), so they need neither be joined nor hashed again. In each object, the specs that are evaluated
 * for this user alone come last.
 */
export function initializeMembers({ evaluation, gates, configs, layers, paramStores, hash }: Initialization): Uint8Array[] {
  const kept = initializePieces(hash);
  const pieces = [GATES];
  addSpecs(pieces, kept, evaluation, gates, kept.gate);
  pieces.push(CONFIGS);
  addSpecs(pieces, kept, evaluation, configs, kept.config);
  pieces.push(LAYERS);
  addSpecs(pieces, kept, evaluation, layers, kept.layer);
  pieces.push(PARAM_STORES);
  const first = pieces.length;
  for (const [name, store] of paramStores) pieces.push(kept.paramStore(name, store));
  removeComma(pieces, first);
  pieces.push(utf8(`},${membersOfUser(evaluation.subject.user, hash)}`));
  return pieces;
}

function addSpecs(pieces: Uint8Array[], kept: KeptPieces, evaluation: Evaluation, groups: readonly SpecGroup[], piece: SpecPiece): void {
  const isLayer = piece === kept.layer;
  let isFirst = true;
  let own = "";
  for (const group of groups) {
    const { members, open } = settle(evaluation, group, piece.whole);
    if (members !== null) {
      pieces.push(isFirst ? members.first : members.json);
      isFirst = false;
    }
    for (const compiled of open) {
      const outcome = evaluate(evaluation, compiled);
      own += piece.start(outcome.decision) + exposureLists(kept, outcome, isLayer);
    }
  }
  if (own !== "") pieces.push(utf8(isFirst ? own.slice(1) : own));
}

/** The lists of exposures and the end of a member. */
function exposureLists(kept: KeptPieces, { exposures, undelegatedExposures }: Outcome, isLayer: boolean): string {
  const first = exposureList(kept, exposures);
  return isLayer ? `${first}${SECOND_LIST}${exposureList(kept, undelegatedExposures)}]}` : `${first}]}`;
}

function exposureList(kept: KeptPieces, exposures: readonly Decision[]): string {
  return exposures.length === 0 ? "" : exposures.map((exposure) => kept.exposure(exposure)).join();
}

/** Pieces begin with a comma, which the first one of an object must not have. */
function removeComma(pieces: Uint8Array[], first: number): void {
  const piece = pieces[first];
  if (piece) pieces[first] = piece.subarray(1);
}

/** The members that depend on the user. */
function membersOfUser(user: User, hash: NameHash): string {
  const members = {
    has_updates: true,
    hash_used: hash,
    evaluated_keys: evaluatedKeys(user),
    user: shown(user),
    sdkParams: {},
    sdkInfo: { sdkType: "gatehouse" },
    generator: "gatehouse",
  };
  return JSON.stringify(members).slice(1, -1);
}

function evaluatedKeys({ userID, customIDs }: User): object {
  const hasID = userID !== undefined && userID !== null && userID !== "";
  return {
    ...(hasID && { userID }),
    ...(customIDs && Object.keys(customIDs).length > 0 && { customIDs }),
  };
}

function shown({ privateAttributes: _, ...user }: User): object {
  return user;
}
