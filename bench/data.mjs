// The gates that the benchmark stores: 1,000, each with five rules of two conditions.
export const STORED = 1000;

export const rules = Array.from({ length: 5 }, (_, index) => ({
  name: `rule ${index}`,
  passPercentage: 10 * index,
  conditions: [
    { type: "email", operator: "str_contains_any", targetValue: ["@example.com", "@example.org"] },
    { type: "country", operator: "any", targetValue: ["CH", "DE", "FR"] },
  ],
}));

export const update = { isEnabled: true, description: "Changed by the benchmark.", rules };

export function newGate(name) {
  return { name, description: "Stored for the benchmark.", tags: ["bench"], rules };
}
