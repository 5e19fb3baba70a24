import { hash as digest } from "node:crypto";
import type { Schema } from "@gatehouse/contract/evaluation";
import type { Evaluator, User } from "@gatehouse/evaluation";
import { checksum } from "../checksum.ts";
import { memoize } from "../compile/memoize.ts";

type NameHash = Schema<"InitializeResponse">["hash_used"];
type Initialized = { checksum: string; json: Uint8Array[] };

const START = Buffer.from("{");
/** SDKs then record no session, not even one that the application forces: recordings are not stored. */
const NO_RECORDINGS = Buffer.from(',"can_record_session":false,"recording_blocked":true');

/**
 * The response of `initialize`, as pieces of JSON in UTF-8: the evaluations, the fields that the server derived from the request, and a
 * checksum for the caller's next request.
 * @param time when the ruleset last changed, ms since the epoch
 */
export function initialized(evaluator: Evaluator, time: number, user: User, hash: NameHash): Initialized {
  const pieces = evaluator.initializeMembers(user, { hash });
  pieces.push(Buffer.from(`,"derived_fields":${JSON.stringify(user.ip ? { ip: user.ip } : {})}`), NO_RECORDINGS);
  // The checksum excludes the time, which changes with every change of the project, even if it does not affect this user.
  const sum = checksum(pieces.map((piece) => digestOfPiece(piece)).join());
  const end = Buffer.from(`,"time":${time},"full_checksum":"${sum}"}`);
  return { checksum: sum, json: [START, ...pieces, end] };
}

/** Most pieces are shared by the responses of many users. */
const digestOfPiece = memoize((piece: Uint8Array): string => digest("sha256", piece, "base64url"));
