export type RetryOptions = {
  /** How often a call is sent at most: 4 if not given, 1 means never again. */
  attempts: number;
  /** The first pause, ms: 200 if not given. It doubles from one retry to the next, and up to half of it is taken off at random. */
  pause: number;
  /** The longest pause, ms: 10,000 if not given. An answer whose `Retry-After` is longer is not waited for, but returned. */
  longestPause: number;
};

const DEFAULTS: RetryOptions = { attempts: 4, pause: 200, longestPause: 10_000 };

/** Too many requests, or the server is temporarily unavailable, as it or a proxy says. A 500 is not retried: it is a bug that would repeat. */
const RETRIED_STATUS = new Set([429, 502, 503, 504]);

export function isRetrying({ attempts = DEFAULTS.attempts }: Partial<RetryOptions> = {}): boolean {
  return attempts > 1;
}

type Fetch = (request: Request) => Promise<Response>;

/**
 * A `fetch` that sends requests again after 429, 502, 503, 504 and network errors: with back-off and jitter, and not before `Retry-After`.
 * All attempts have the same headers: with an Idempotency-Key a write takes effect once even if an answer is lost.
 */
export function retrying(fetch: Fetch, options: Partial<RetryOptions> = {}): Fetch {
  const { attempts = DEFAULTS.attempts, pause = DEFAULTS.pause, longestPause = DEFAULTS.longestPause } = options;
  return async (request) => {
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt >= attempts;
      const response = await fetch(request.clone()).catch((error: unknown) => {
        if (isLast || request.signal.aborted) throw error;
        return undefined;
      });
      const wait = retryAfter(response);
      if (response && (isLast || !RETRIED_STATUS.has(response.status) || wait > longestPause)) return response;
      // An unread body would hold its connection. Not awaited: where a copy of the answer is kept, cancelling ends only with that one's.
      response?.body?.cancel().catch(() => {});
      const backOff = Math.min(pause * 2 ** (attempt - 1), longestPause);
      await sleep(Math.max(backOff * (0.5 + Math.random() / 2), wait), request.signal);
    }
  };
}

/** Retry-After is seconds or a date (RFC 9110, 10.2.3). Milliseconds; 0 when absent or neither. */
function retryAfter(response: Response | undefined): number {
  const header = response?.headers.get("Retry-After");
  if (!header) return 0;
  const milliseconds = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(milliseconds) ? 0 : milliseconds;
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    signal.addEventListener("abort", abort, { once: true });
  });
}
