import type { CompiledSpec } from "./compile.ts";
import type { Decision, Outcome } from "./decision.ts";
import { type Evaluation, evaluate } from "./evaluate.ts";
import type { NameHash } from "./evaluator.ts";
import { initializePieces, type KeptPieces, type SpecPiece } from "./initialize-pieces.ts";
import type { ParamStore } from "./ruleset.ts";
import type { User } from "./user.ts";
import { utf8 } from "./utf8.ts";

/** The input of an initialize response. */
type Initialization = {
  evaluation: Evaluation;
  gates: Iterable<CompiledSpec>;
  configs: Iterable<CompiledSpec>;
  layers: Iterable<CompiledSpec>;
  paramStores: Iterable<[name: string, ParamStore]>;
  hash: NameHash;
};

const GATES = utf8('"feature_gates":{');
const CONFIGS = utf8('},"dynamic_configs":{');
const LAYERS = utf8('},"layer_configs":{');
const PARAM_STORES = utf8('},"param_stores":{');
const COMMA = utf8(",");
const SECOND_LIST = utf8('],"undelegated_secondary_exposures":[');
const END = utf8("]}");

/**
 * The members of an initialize response except `time`, as pieces of JSON in UTF-8 without the enclosing braces. The JSON of each decision
 * is cached with it, so a response costs little more than its decisions.
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

function addSpecs(
  pieces: Uint8Array[],
  kept: KeptPieces,
  evaluation: Evaluation,
  specs: Iterable<CompiledSpec>,
  toPiece: (decision: Decision) => SpecPiece,
): void {
  const first = pieces.length;
  for (const compiled of specs) {
    if (compiled.spec.entity === "segment" || compiled.spec.entity === "holdout") continue;
    const outcome = evaluate(evaluation, compiled);
    const piece = toPiece(outcome.decision);
    if (outcome.exposures.length === 0) pieces.push(piece.whole);
    else addExposed(pieces, kept, piece.start, outcome, toPiece === kept.layer);
  }
  removeComma(pieces, first);
}

function addExposed(pieces: Uint8Array[], kept: KeptPieces, start: Uint8Array, outcome: Outcome, isLayer: boolean): void {
  pieces.push(start);
  addExposures(pieces, kept, outcome.exposures);
  if (isLayer) {
    pieces.push(SECOND_LIST);
    addExposures(pieces, kept, outcome.undelegatedExposures);
  }
  pieces.push(END);
}

function addExposures(pieces: Uint8Array[], kept: KeptPieces, exposures: readonly Decision[]): void {
  for (let index = 0; index < exposures.length; index++) {
    if (index > 0) pieces.push(COMMA);
    pieces.push(kept.exposure(exposures[index] as Decision));
  }
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
