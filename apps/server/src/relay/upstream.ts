import { basePathOf } from "../common/base-path.ts";
import { AppError, STATUS } from "../common/errors.ts";
import { deadline } from "../common/signals.ts";
import { readTarget } from "../http/common/request-target.ts";

/** The origin server of a relay. */
export type Upstream = {
  /**
   * Posts a body, which is JSON already if it is a text, and returns the text of the answer, which is JSON of the expected form.
   * @throws AppError unavailable for any other answer. Its cause is a RejectedRequest if the server refuses the content of this request, and a ForbiddenRequest if the server forbids it
   */
  post(path: keyof typeof EXPECTED, body: object | string): Promise<string>;
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
export class RejectedRequest extends Error {}

/** The server forbids a request, for its content or because the relay may no longer use its key. */
export class ForbiddenRequest extends Error {}

type Options = { origin: string; key: string; version: string; onChange?: (isReachable: boolean, cause?: unknown) => void };
type GatehouseError = { status: number; code: string; message: string };

/** The setting that has the relay's key. */
const KEY_SETTING = "GATEHOUSE_RELAY_KEY";
const KEYS_PATH = "/v1/relay/keys";
const EVENTS_PATH = "/v1/relay/events";
/** Whether an answer has the form that its path promises. A proxy may answer in place of the origin. */
const EXPECTED = {
  [KEYS_PATH]: ({ projectID, keys }: Record<string, unknown>) => typeof projectID === "string" && Array.isArray(keys),
  "/v1/relay/ruleset": ({ has_updates: hasUpdates }: Record<string, unknown>) => typeof hasUpdates === "boolean",
  [EVENTS_PATH]: ({ success }: Record<string, unknown>) => success === true,
  "/v1/get_id_lists": (lists: Record<string, unknown>) => Object.values(lists).every((list) => isObject(list) && "fileID" in list),
};
/** Statuses that blame the content of the request, if the body is an error of Gatehouse. */
const REJECTED: number[] = [STATUS.invalid_request, STATUS.payload_too_large, STATUS.idempotency_key_reused];
/** An answer that takes longer counts as an outage. */
const TIMEOUT_MS = 10_000;
/** The same for events, which may be megabytes over a slow link. */
const EVENTS_TIMEOUT_MS = 60_000;
/** The same for the file of an id list. */
const DOWNLOAD_TIMEOUT_MS = 60_000;
/** The most characters of an unexpected answer that the log has. */
const MAX_QUOTE_LENGTH = 1_000;

export function createUpstream({ origin, key, version, onChange = () => {} }: Options): Upstream {
  const own = { "X-API-Key": key, "STATSIG-SDK-TYPE": "gatehouse-relay", "STATSIG-SDK-VERSION": version };
  const withoutBasePath = readTarget(basePathOf(origin));
  /** Undefined before the first answer. */
  let isReachable: boolean | undefined;
  let refusal: string | undefined;

  function note(reached: boolean, cause?: unknown): void {
    const isNews = reached !== isReachable;
    isReachable = reached;
    if (isNews) onChange(reached, cause);
  }

  function away(cause: unknown): AppError {
    note(false, cause);
    return originAway(cause);
  }

  async function request(target: string, init: RequestInit): Promise<Response> {
    // Addresses that the origin gives have its base path already.
    const path = withoutBasePath(target);
    const response = await fetch(`${origin}${path}`, { redirect: "error", ...init }).catch((cause: unknown) => {
      throw away(cause);
    });
    if (!response.ok) throw await toError(path, response);
    return response;
  }

  /** The error of a response that is not successful. Only an error in Gatehouse's form was sent by the origin itself. */
  async function toError(path: string, response: Response): Promise<AppError> {
    const { status } = response;
    const text = await response.text().catch((cause: unknown) => {
      throw away(cause);
    });
    const cause = `The origin answers ${path.split("?", 1)[0]} with ${status}: ${text.slice(0, MAX_QUOTE_LENGTH)}`;
    // URLs with a token may expire. Whether the origin is away shows at the other paths.
    if (!(path in EXPECTED)) return originAway(new Error(cause));
    if (!isError(parse(text), status)) return away(new Error(cause));
    if (status === STATUS.unauthorized)
      return refuse(`The origin rejects the relay's key. The operator of the relay must set a valid ${KEY_SETTING}.`, cause);
    if (status === STATUS.forbidden && path === KEYS_PATH)
      return refuse(
        `The origin does not let the relay use its key. The operator must use a server key in ${KEY_SETTING} whose allowed addresses include the address of the relay.`,
        cause,
      );
    if (REJECTED.includes(status) || status === STATUS.forbidden) {
      note(true);
      return originAway(status === STATUS.forbidden ? new ForbiddenRequest(cause) : new RejectedRequest(cause));
    }
    return away(new Error(cause));
  }

  function refuse(reason: string, cause: string): AppError {
    note(true);
    refusal = reason;
    return new AppError("unavailable", reason, undefined, { cause: new Error(cause) });
  }

  return {
    async post(path, body) {
      const late = deadline(path === EVENTS_PATH ? EVENTS_TIMEOUT_MS : TIMEOUT_MS);
      const headers = { ...own, "Content-Type": "application/json" };
      try {
        const response = await request(path, {
          method: "POST",
          headers,
          body: typeof body === "string" ? body : JSON.stringify(body),
          signal: late.signal,
        });
        const text = await response.text().catch((cause: unknown) => {
          throw away(cause);
        });
        const answer = parse(text);
        if (!isObject(answer) || !EXPECTED[path](answer))
          throw away(new Error(`The origin answers ${path} with an unexpected text: ${text.slice(0, MAX_QUOTE_LENGTH)}`));
        note(true);
        refusal = undefined;
        return text;
      } finally {
        late.release();
      }
    },

    async download(path, headers) {
      const late = deadline(DOWNLOAD_TIMEOUT_MS);
      try {
        const response = await request(path, { headers, signal: late.signal });
        const bytes = await response.arrayBuffer().catch((cause: unknown) => {
          throw away(cause);
        });
        return Buffer.from(bytes);
      } finally {
        late.release();
      }
    },

    async open(path, signal) {
      const response = await request(path, { signal });
      const type = response.headers.get("Content-Type") ?? "";
      if (type.startsWith("text/event-stream")) {
        note(true);
        return response;
      }
      await response.body?.cancel();
      throw away(new Error(`The origin answers ${path.split("?", 1)[0]} with ${type || "no type"} in place of a stream.`));
    },

    isReachable: () => isReachable === true,
    refusal: () => refusal,
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isError(value: unknown, status: number): value is GatehouseError {
  const { status: given, code, message } = (isObject(value) ? value : {}) as Partial<GatehouseError>;
  return given === status && typeof code === "string" && typeof message === "string";
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function originAway(cause: unknown): AppError {
  return new AppError("unavailable", "The relay cannot reach its origin. Try again shortly.", undefined, { cause });
}
