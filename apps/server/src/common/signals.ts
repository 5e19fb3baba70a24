/** The longest delay of a timer, ms. */
const MAX_DELAY_MS = 2 ** 31 - 1;

export type JoinedSignal = {
  readonly signal: AbortSignal;
  /** Removes the listeners. After that, the signal no longer aborts. */
  release(): void;
};

export type Deadline = JoinedSignal & {
  /** Whether the signal aborted because its time was over. */
  isLate(): boolean;
};

/**
 * A signal that aborts with the first of others, for the same reason. It takes the place of `AbortSignal.any`: on Node 20, the timeouts of
 * that are garbage-collected and never fire. The others hold this one until it is released.
 */
export function joinSignals(...signals: (AbortSignal | undefined)[]): JoinedSignal {
  const joined = new AbortController();
  const sources = signals.filter((signal) => signal !== undefined);
  const listeners = sources.map((source) => {
    const abort = () => joined.abort(source.reason);
    if (source.aborted) abort();
    else source.addEventListener("abort", abort, { once: true });
    return () => source.removeEventListener("abort", abort);
  });
  return {
    signal: joined.signal,
    release() {
      for (const remove of listeners) remove();
    },
  };
}

/** A signal that aborts after a time or with others, if that is earlier. Its timer runs until it is released, and keeps no process alive. */
export function deadline(timeoutMs: number, ...signals: (AbortSignal | undefined)[]): Deadline {
  const late = new AbortController();
  const timer = setTimeout(
    () => late.abort(new DOMException(`It took longer than ${timeoutMs} ms.`, "TimeoutError")),
    Math.min(timeoutMs, MAX_DELAY_MS),
  ).unref();
  const { signal, release } = joinSignals(late.signal, ...signals);
  return {
    signal,
    isLate: () => late.signal.aborted && signal.reason === late.signal.reason,
    release() {
      clearTimeout(timer);
      release();
    },
  };
}

/**
 * Settles like the work, or rejects with the signal's reason as soon as that aborts, even if the work continues. The caller ends the work:
 * a driver's promise may never settle.
 */
export function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
