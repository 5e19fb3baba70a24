import { type LookupAddress, lookup } from "node:dns";
import { request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { isIP } from "node:net";
import { deadline } from "../common/signals.ts";
import { isPublicAddress } from "./public-address.ts";

/** Why a receiver did not get a message. */
export class WebhookFailure extends Error {}

/** The most time for a connection and its answer. */
const TIMEOUT_MS = 10_000;

type Message = { body: string; headers: Record<string, string>; allowsPrivate: boolean };

/**
 * Sends a body, and waits for the status of the answer. Follows no redirect, and reads nothing of the answer's body.
 * @param allowsPrivate whether the host may have a private address. Otherwise the address is checked when the connection is made, so that another answer of
 * the name server than before makes no difference.
 * @throws WebhookFailure
 */
export async function post(url: string, { body, headers, allowsPrivate }: Message): Promise<number> {
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
  const answer = new Promise<number>((resolve, reject) => {
    const sent = (protocol === "https:" ? requestSecure : requestPlain)(url, options, (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    sent.once("error", (error) => {
      const reason = time.isLate() ? "It did not answer in time." : `It cannot be reached: ${error.message}`;
      reject(error instanceof WebhookFailure ? error : new WebhookFailure(reason));
    });
    sent.end(body);
  });
  return answer.finally(time.release);
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
