// The cost of a change's impact: 1,000 users seen last, a segment that 1,000 gates depend on, and a change that concerns every user.
import { medianTime } from "./measure.mjs";
import { call, KEY, root } from "./servers.mjs";

const GATES = 1_000;
const USERS = 1_000;
const ROUNDS = 9;

export async function measureImpact(print) {
  const rules = (value) => [
    { name: "Pro", passPercentage: 100, conditions: [{ type: "custom_field", field: "plan", operator: "any", targetValue: [value] }] },
  ];
  await call("POST", "/segments", { id: "impact", name: "impact", type: "rule_based", rules: rules("pro") });
  const exposure = (_, index) => ({
    eventName: "statsig::gate_exposure",
    user: { userID: `user ${index}`, custom: { plan: index % 2 === 0 ? "pro" : "free" } },
    metadata: { gate: `impact_${index % GATES}`, gateValue: "true", ruleID: "" },
  });
  const ask = async () => {
    const { impact } = await call("POST", `/segments/impact/conditional?dryRun=true&impact=${USERS}`, { rules: rules("free") });
    const users = impact.reduce((sum, one) => sum + one.users, 0);
    if (users !== USERS) throw new Error(`The impact was reported for ${users} users.`);
  };
  const buildRules = (passPercentage) => [
    { name: "Of it", passPercentage, conditions: [{ type: "passes_segment", targetValue: "impact" }] },
  ];
  for (let index = 0; index < GATES; index++)
    await call("POST", "/gates", { name: `impact_${index}`, isEnabled: true, rules: buildRules(100) });
  const response = await fetch(new URL("/v1/log_event", root), {
    method: "POST",
    headers: { "STATSIG-API-KEY": KEY, "Content-Type": "application/json" },
    body: JSON.stringify({ events: Array.from({ length: USERS }, exposure) }),
  });
  if (!response.ok) throw new Error(`The events were answered ${response.status}.`);
  const measure = async (what) => {
    await ask();
    print(`impact on ${USERS} users of ${GATES} gates, ${what}`, `${Math.round(await medianTime(ROUNDS, ask))} ms`, "≤ 1000 ms");
  };
  await measure("which pass all of a segment");
  for (let index = 0; index < GATES; index++) await call("PATCH", `/gates/impact_${index}`, { rules: buildRules(50) });
  await measure("which pass half of it");
}
