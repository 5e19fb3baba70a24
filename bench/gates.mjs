// The gates that the benchmark stores, each with five rules of two conditions. Every tenth gate has the same further tag, one of ten.

export const STORED = 1000;
/** The users that gates are evaluated and events logged for. */
export const USERS = 10_000;
export const EVENTS_PER_BATCH = 100;

export const rules = Array.from({ length: 5 }, (_, index) => ({
  name: `rule ${index}`,
  passPercentage: 10 * index,
  conditions: [
    { type: "email", operator: "str_contains_any", targetValue: ["@example.com", "@example.org"] },
    { type: "country", operator: "any", targetValue: ["CH", "DE", "FR"] },
  ],
}));

export const update = { isEnabled: true, description: "Changed by the benchmark.", rules };

export function newGate(name, tags = ["bench"]) {
  return { name, description: "Stored for the benchmark.", tags, rules };
}
