/** A limit of time for a call, which also ends with the caller's signal. `end` must be called when the call is over. */
export function beginLimit(operationId: string, timeoutMs: number, signal?: AbortSignal): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort, { once: true });
  const expire = () => controller.abort(new DOMException(`${operationId} took longer than ${timeoutMs} ms.`, "TimeoutError"));
  // A timer with an infinite delay would expire at once.
  const timer = Number.isFinite(timeoutMs) ? setTimeout(expire, timeoutMs) : undefined;
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    },
  };
}
