import { basePathOf } from "../common/base-path.ts";
import { AppError } from "../common/errors.ts";
import { deadline } from "../common/signals.ts";
import { readTarget } from "../http/common/request-target.ts";

/** The origin server of a relay. */
export type Upstream = {
  /**
   * Posts a body, which is JSON already if it is a text, and returns the text of the answer.
   * @throws AppError unavailable if the server is away or refuses the relay's key; RejectedRequest if it refuses this request
   */
  post(path: string, body: object | string): Promise<string>;
  /** Downloads a URL that has a token. @throws as `post` does */
  download(path: string, headers: Record<string, string>): Promise<Buffer>;
  /** Opens a URL that has a token, and returns when the answer begins. @throws as `post` does */
  open(path: string, signal: AbortSignal): Promise<Response>;
  /** Whether the last request was answered. */
  isReachable(): boolean;
  /** Why the server refuses the relay's key. Undefined if it accepts it. */
  refusal(): string | undefined;
};

/** The server refuses a request for its content. A repetition would fail again. */
class RejectedRequest extends Error {}

type Options = { origin: string; key: string; version: string; onChange?: (isReachable: boolean, cause?: unknown) => void };

/** The setting that has the relay's key. */
const KEY_SETTING = "GATEHOUSE_RELAY_KEY";
/** An answer that takes longer counts as an outage. */
const TIMEOUT_MS = 10_000;
/** The same for the file of an id list. */
const DOWNLOAD_TIMEOUT_MS = 60_000;

export function createUpstream({ origin, key, version, onChange = () => {} }: Options): Upstream {
  const own = { "X-API-Key": key, "STATSIG-SDK-TYPE": "gatehouse-relay", "STATSIG-SDK-VERSION": version };
  const withoutBasePath = readTarget(basePathOf(origin));
  let isReachable = false;
  let refusal: string | undefined;

  function note(reached: boolean, cause?: unknown): void {
    if (reached !== isReachable || cause !== undefined) onChange(reached, cause);
    isReachable = reached;
  }

  async function request(target: string, init: RequestInit): Promise<Response> {
    // Addresses that the origin gives have its base path already.
    const path = withoutBasePath(target);
    const response = await fetch(`${origin}${path}`, { redirect: "error", ...init }).catch((cause: unknown) => {
      note(false, isReachable ? cause : undefined);
      throw originAway(cause);
    });
    if (response.status === 429 || response.status >= 500) {
      await response.body?.cancel();
      const cause = new Error(`The origin answers ${path} with ${response.status}.`);
      note(false, isReachable ? cause : undefined);
      throw originAway(cause);
    }
    note(true);
    return response;
  }

  return {
    async post(path, body) {
      const late = deadline(TIMEOUT_MS);
      const headers = { ...own, "Content-Type": "application/json" };
      try {
        const response = await request(path, {
          method: "POST",
          headers,
          body: typeof body === "string" ? body : JSON.stringify(body),
          signal: late.signal,
        });
        const text = await response.text().catch(fail);
        if (response.status === 401) {
          refusal = `The origin rejects the relay's key. The operator of the relay must set a valid ${KEY_SETTING}.`;
          throw new AppError("unavailable", refusal);
        }
        refusal = undefined;
        if (!response.ok) throw new RejectedRequest(`The origin answers ${path} with ${response.status}: ${text.slice(0, 1_000)}`);
        return text;
      } finally {
        late.release();
      }
    },

    async download(path, headers) {
      const late = deadline(DOWNLOAD_TIMEOUT_MS);
      try {
        const response = requireOK(await request(path, { headers, signal: late.signal }));
        return Buffer.from(await response.arrayBuffer().catch(fail));
      } finally {
        late.release();
      }
    },

    open: async (path, signal) => requireOK(await request(path, { signal })),

    isReachable: () => isReachable,
    refusal: () => refusal,
  };
}

function fail(cause: unknown): never {
  throw originAway(cause);
}

function requireOK(response: Response): Response {
  if (response.ok) return response;
  void response.body?.cancel();
  throw new RejectedRequest(`The origin answers with ${response.status}.`);
}

export function originAway(cause: unknown): AppError {
  return new AppError("unavailable", "The relay cannot reach its origin. Try again shortly.", undefined, { cause });
}
