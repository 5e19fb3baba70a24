import type { Schema } from "@gatehouse/contract/evaluation";
import type { Evaluator, User } from "@gatehouse/evaluation";
import { checksum } from "../checksum.ts";

type NameHash = Schema<"InitializeResponse">["hash_used"];
type Initialized = { checksum: string; json: Buffer };

/** Bytes reserved for the end of the response, which contains the checksum. */
const CHECKSUM_RESERVE_BYTES = 100;

/** SDKs then record no session, not even one that the application forces: recordings are not stored. */
const NO_RECORDINGS = Buffer.from(',"can_record_session":false,"recording_blocked":true');

/**
 * The response of `initialize`, as JSON in UTF-8: the evaluations, the fields that the server derived from the request, and a checksum that
 * the caller sends with its next request.
 * @param time when the ruleset last changed, ms since the epoch
 */
export function initialized(evaluator: Evaluator, time: number, user: User, hash: NameHash): Initialized {
  const pieces = evaluator.initializeMembers(user, { hash });
  pieces.push(Buffer.from(`,"derived_fields":${JSON.stringify(user.ip ? { ip: user.ip } : {})}`), NO_RECORDINGS);
  const json = Buffer.allocUnsafe(pieces.reduce((length, piece) => length + piece.length, 1 + CHECKSUM_RESERVE_BYTES));
  let end = json.write("{");
  for (const piece of pieces) {
    json.set(piece, end);
    end += piece.length;
  }
  // The checksum excludes the time, which changes with every change of the project, even if it does not affect this user.
  const sum = checksum(json.subarray(0, end));
  end += json.write(`,"time":${time},"full_checksum":"${sum}"}`, end);
  return { checksum: sum, json: json.subarray(0, end) };
}
