import { useLayoutEffect, useState, useSyncExternalStore } from "react";

/** A value whose change draws only its readers again. When a context changes, React searches everything below it, which takes too long on large pages. */
export type Live<Value> = {
  get: () => Value;
  subscribe: (listener: () => void) => () => void;
};

/** Makes the latest value available to readers below, before the browser paints. */
export function useLive<Value>(value: Value): Live<Value> {
  const [live] = useState(() => createLive(value));
  useLayoutEffect(() => live.set(value), [live, value]);
  return live;
}

/** A part of a live value. @param select returns the same object as long as the part is the same */
export function useLiveValue<Value, Part>(live: Live<Value>, select: (value: Value) => Part): Part {
  return useSyncExternalStore(live.subscribe, () => select(live.get()));
}

function createLive<Value>(first: Value): Live<Value> & { set: (value: Value) => void } {
  const listeners = new Set<() => void>();
  let latest = first;
  return {
    get: () => latest,
    set: (value) => {
      if (value === latest) return;
      latest = value;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
