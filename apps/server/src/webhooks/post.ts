import { type LookupAddress, lookup } from "node:dns";
import { type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { isIP } from "node:net";
import { deadline } from "../common/signals.ts";
import type { WebhookAnswer } from "../store/database/db.ts";
import { isPublicAddress } from "./public-address.ts";

/** Why a receiver did not get a message. */
export class WebhookFailure extends Error {}

/** The most time for a connection and its answer. */
const TIMEOUT_MS = 10_000;
/** Of the body of an answer, in characters. The rest is not read. */
const MAX_BODY = 1_000;

type Message = { body: string; headers: Record<string, string>; allowsPrivate: boolean };

/**
 * Sends a body, and waits for the answer. Follows no redirect, and reads only the beginning of the answer's body.
 * @param allowsPrivate whether the host may have a private address. Otherwise the address is checked when the connection is made, so that another answer of
 * the name server than before makes no difference.
 * @throws WebhookFailure
 */
export async function post(url: string, { body, headers, allowsPrivate }: Message): Promise<WebhookAnswer> {
  const { protocol, hostname } = new URL(url);
  const literal = hostname.replace(/^\[|\]$/g, "");
  if (!allowsPrivate && isIP(literal) && !isPublicAddress(literal)) throw new WebhookFailure(PRIVATE);
  const time = deadline(TIMEOUT_MS);
  const options = {
    method: "POST",
    headers: { ...headers, "Content-Length": Buffer.byteLength(body) },
    agent: false as const,
    signal: time.signal,
    ...(!allowsPrivate && { lookup: lookUpPublic }),
  };
  const answer = new Promise<WebhookAnswer>((resolve, reject) => {
    const sent = (protocol === "https:" ? requestSecure : requestPlain)(url, options, (response) => {
      readBeginning(response).then((text) => resolve({ status: response.statusCode ?? 0, body: text }));
    });
    sent.once("error", (error) => {
      const reason = time.isLate() ? "It did not answer in time." : `It cannot be reached: ${error.message}`;
      reject(error instanceof WebhookFailure ? error : new WebhookFailure(reason));
    });
    sent.end(body);
  });
  return answer.finally(time.release);
}

/** The beginning of a body, or as much of it as came in time. Control characters, which the database cannot store, become spaces. */
async function readBeginning(response: IncomingMessage): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of response) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length >= MAX_BODY) break;
    }
  } catch {
    // The status counts, however the body ends.
  }
  return text
    .slice(0, MAX_BODY)

    .replace(/[\p{Cc}]/gu, " ")
    .trim();
}

const PRIVATE = "Its host has a private address, and GATEHOUSE_WEBHOOK_HOSTS does not name it.";

type Found = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/** Looks a host up, and refuses it unless all of its addresses are public. */
function lookUpPublic(hostname: string, options: object, found: Found): void {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return found(error, []);
    if (!addresses.every(({ address }) => isPublicAddress(address))) return found(new WebhookFailure(PRIVATE), []);
    const [first] = addresses;
    if ("all" in options && options.all) found(null, addresses);
    else found(null, first?.address ?? "", first?.family);
  });
}
