import type { Hook } from "@openfeature/web-sdk";

/**
 * A hook that logs what a user was shown, and what waits for that. A web provider evaluates all flags at once, shown or not, so that only the
 * application knows.
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
