import type { Schema } from "@gatehouse/contract/evaluation";
import type { Evaluator, User } from "@gatehouse/evaluation";
import { checksum } from "../checksum.ts";

type NameHash = Schema<"InitializeResponse">["hash_used"];
type Initialized = { checksum: string; json: Buffer };

/** Space for the end of the response, which needs the checksum: bytes. */
const CHECKSUM_RESERVE_BYTES = 100;

/**
 * What `initialize` answers, as JSON in UTF-8: the evaluations, what the server found out of the user, and a checksum by which the caller
 * asks for the next.
 * @param time when the ruleset last changed, ms
 */
export function initialized(evaluator: Evaluator, time: number, user: User, hash: NameHash): Initialized {
  const pieces = evaluator.initializeMembers(user, { hash });
  pieces.push(Buffer.from(`,"derived_fields":${JSON.stringify(user.ip ? { ip: user.ip } : {})}`));
  const json = Buffer.allocUnsafe(pieces.reduce((length, piece) => length + piece.length, 1 + CHECKSUM_RESERVE_BYTES));
  let end = json.write("{");
  for (const piece of pieces) {
    json.set(piece, end);
    end += piece.length;
  }
  // Not of the time: it changes with everything in the project, and mostly with what is none of this user's concern.
  const sum = checksum(json.subarray(0, end));
  end += json.write(`,"time":${time},"full_checksum":"${sum}"}`, end);
  return { checksum: sum, json: json.subarray(0, end) };
}
