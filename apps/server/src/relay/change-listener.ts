import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { issueToken } from "../authentication/path-tokens.ts";
import type { Credentials } from "../common/context.ts";
import { joinSignals } from "../common/signals.ts";
import { HEARTBEAT } from "../evaluation/ofrep/server-sent-events.ts";
import type { RelayKeys } from "./relay-keys.ts";
import type { Upstream } from "./upstream.ts";

const STREAM_PATH = "/ofrep/v1/stream";
/** Between two attempts to connect, ms: at first, and at most. */
const RETRY_MS = { first: 250, most: 5_000 };
/** The origin sends a comment every 20 seconds. A connection that is silent for longer than this is dead. */
const SILENCE_MS = 45_000;
/** The interval of look-ups of the relay's own key, which also tell whether a ruleset changed, ms. */
const CHECK_INTERVAL_MS = 5_000;

type Options = {
  upstream: Upstream;
  keys: Pick<RelayKeys, "own" | "check">;
  secret: string;
  log: Logger;
  /** Called after each change, and after each connection. */
  onChange: () => void;
};

export type ChangeListener = { isConnected(): boolean; close(): void };

/** Listens to the origin's stream of changes with the relay's own key: one connection, no matter how many applications listen to the relay. */
export function listenForChanges({ upstream, keys, secret, log, onChange }: Options): ChangeListener {
  const closing = new AbortController();
  let isConnected = false;
  let waitMs = RETRY_MS.first;

  async function listen(): Promise<void> {
    if (!keys.own()?.id) await keys.check();
    const { projectID, id } = keys.own() as { projectID: string; id: string };
    const token = issueToken(secret, { projectID, actor: { id } } as Credentials, STREAM_PATH);
    const silence = new AbortController();
    const { signal, release } = joinSignals(closing.signal, silence.signal);
    let timer = setTimeout(() => silence.abort(), SILENCE_MS);
    try {
      const response = await upstream.open(`${STREAM_PATH}?token=${encodeURIComponent(token)}`, signal);
      isConnected = true;
      waitMs = RETRY_MS.first;
      onChange();
      const decoder = new TextDecoder();
      for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), SILENCE_MS);
        if (decoder.decode(chunk) !== HEARTBEAT) onChange();
      }
    } finally {
      isConnected = false;
      clearTimeout(timer);
      release();
    }
  }

  async function keepListening(): Promise<void> {
    while (!closing.signal.aborted) {
      await listen().catch((err: unknown) => {
        if (!closing.signal.aborted) log.debug({ err }, "The stream of changes broke, or the origin cannot be reached.");
      });
      // Relays that lost the same origin do not return at the same moment.
      await sleep(waitMs * (0.5 + Math.random()), undefined, { signal: closing.signal, ref: false }).catch(() => {});
      waitMs = Math.min(RETRY_MS.most, waitMs * 2);
    }
  }

  const timer = setInterval(() => keys.check().catch(() => {}), CHECK_INTERVAL_MS).unref();
  void keepListening();
  return {
    isConnected: () => isConnected,
    close() {
      clearInterval(timer);
      closing.abort();
    },
  };
}
