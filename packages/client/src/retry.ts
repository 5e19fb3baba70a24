export type RetryOptions = {
  /** How often a call is sent at most. 1 means never again. */
  attempts: number;
  /** The first pause, ms; it doubles from one retry to the next. */
  pause: number;
  /** The longest pause, ms, also against a longer `Retry-After`. */
  longestPause: number;
};

export const DEFAULT_RETRY: RetryOptions = { attempts: 4, pause: 200, longestPause: 10_000 };

/** Methods that may be sent twice with the effect of once (RFC 9110, 9.2.2). */
const IDEMPOTENT = new Set(["GET", "HEAD", "PUT", "DELETE", "OPTIONS"]);
const RETRIED_STATUS = new Set([429, 503]);

/** A `fetch` that sends idempotent requests again after 429, 503 and network errors: with back-off and jitter, and not before `Retry-After`. */
export function retrying(fetch: (request: Request) => Promise<Response>, options: RetryOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    if (!IDEMPOTENT.has(request.method)) return fetch(request);
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt >= options.attempts;
      const response = await fetch(request.clone()).catch((error: unknown) => {
        if (isLast || request.signal.aborted) throw error;
        return undefined;
      });
      if (response && (isLast || !RETRIED_STATUS.has(response.status))) return response;
      await response?.body?.cancel();
      await sleep(pauseBefore(attempt, response, options), request.signal);
    }
  };
}

function pauseBefore(attempt: number, response: Response | undefined, { pause, longestPause }: RetryOptions): number {
  const backOff = Math.min(pause * 2 ** (attempt - 1), longestPause);
  const jittered = backOff * (0.5 + Math.random() / 2);
  return Math.min(Math.max(jittered, retryAfter(response)), longestPause);
}

/** Retry-After is seconds or a date (RFC 9110, 10.2.3). Milliseconds; 0 when absent. */
function retryAfter(response: Response | undefined): number {
  const header = response?.headers.get("Retry-After");
  if (!header) return 0;
  const milliseconds = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(milliseconds) ? 0 : milliseconds;
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
}
