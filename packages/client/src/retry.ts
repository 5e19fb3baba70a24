export type RetryOptions = {
  /** The most attempts of a call. Defaults to 4; 1 turns retries off. */
  attempts: number;
  /** The delay before the first retry. Defaults to 200. It doubles with each retry, and jitter shortens it by up to half. */
  delayMs: number;
  /** The longest delay. Defaults to 10,000. A response with a longer `Retry-After` is not retried but returned. */
  maxDelayMs: number;
};

const DEFAULTS: RetryOptions = { attempts: 4, delayMs: 200, maxDelayMs: 10_000 };

/** Too many requests, or the server or a proxy is temporarily unavailable. A 500 is not retried, since a bug would repeat. */
const RETRIED_STATUS = new Set([429, 502, 503, 504]);

export function isRetrying({ attempts = DEFAULTS.attempts }: Partial<RetryOptions> = {}): boolean {
  return attempts > 1;
}

type Fetch = (request: Request) => Promise<Response>;

/** The server answers 429 before it asks a model. After any other failure, the model may already have answered, at a cost. */
const PAID_RETRIED_STATUS = new Set([429]);

/**
 * A `fetch` that retries requests after 429, 502, 503, 504 and network errors, with back-off and jitter, after `Retry-After` at the
 * earliest. All attempts have the same headers, so a write with an Idempotency-Key happens once, even if a response is lost.
 * @param isPaid whether each attempt may cost money. Such a request is retried only after 429
 */
export function retrying(fetch: Fetch, options: Partial<RetryOptions> = {}, isPaid: (request: Request) => boolean = () => false): Fetch {
  const { attempts = DEFAULTS.attempts, delayMs = DEFAULTS.delayMs, maxDelayMs = DEFAULTS.maxDelayMs } = options;
  return async (request) => {
    const mayBePaid = isPaid(request);
    const retried = mayBePaid ? PAID_RETRIED_STATUS : RETRIED_STATUS;
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt >= attempts;
      const response = await fetch(request.clone()).catch((error: unknown) => {
        if (isLast || mayBePaid || request.signal.aborted) throw error;
        return undefined;
      });
      const wait = retryAfter(response);
      if (response && (isLast || !retried.has(response.status) || wait > maxDelayMs)) return response;
      // An unread body would keep its connection. Not awaited, since with a cloned response, cancelling waits for the clone.
      response?.body?.cancel().catch(() => {});
      const backOff = Math.min(delayMs * 2 ** (attempt - 1), maxDelayMs);
      await sleep(Math.max(backOff * (0.5 + Math.random() / 2), wait), request.signal);
    }
  };
}

/** The Retry-After of a response (seconds or a date: RFC 9110, section 10.2.3) in ms. 0 if it is absent or invalid. */
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
