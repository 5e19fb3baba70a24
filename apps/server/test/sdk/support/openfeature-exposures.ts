import type { Hook } from "@openfeature/web-sdk";

/**
 * A hook that logs the user's exposures, and a function that waits for them. A web provider evaluates all flags at once, so that only the
 * application knows which ones the user saw.
 */
export function logExposures(url: string, key: string): { hook: Hook; flush(): Promise<void> } {
  const sent: Promise<unknown>[] = [];
  return {
    hook: {
      after({ flagKey, context }, { value, flagMetadata: { kind, ruleID } }) {
        const exposure =
          kind === "gate"
            ? { eventName: "statsig::gate_exposure", metadata: { gate: flagKey, gateValue: String(value), ruleID } }
            : { eventName: `statsig::${kind === "layer" ? "layer" : "config"}_exposure`, metadata: { config: flagKey, ruleID } };
        const event = { ...exposure, user: { userID: context.targetingKey }, time: Date.now() };
        const body = JSON.stringify({ events: [event] });
        const headers = { "Content-Type": "application/json" };
        sent.push(fetch(`${url}/v1/log_event?k=${key}`, { method: "POST", headers, body }).catch(() => {}));
      },
    },
    flush: async () => void (await Promise.all(sent)),
  };
}
