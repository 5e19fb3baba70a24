import { untilSeen } from "../../support/ofrep.ts";
import type { TestServer } from "../../support/server.ts";

/** A flag for every kind and reason, by key. */
export async function makeFlagsOfEveryKind(server: TestServer): Promise<void> {
  const { client } = server;
  const isPro = { type: "custom_field" as const, field: "plan", operator: "any" as const, targetValue: ["pro"] };
  const pro = { id: "pro_rule", name: "Pro", passPercentage: 100, conditions: [isPro] };
  const all = { id: "all_rule", name: "All", passPercentage: 100, conditions: [] };
  await client.createGate({ body: { name: "everyone", rules: [all] } });
  await client.createGate({ body: { name: "for_pro", rules: [pro] } });
  await client.createGate({ body: { name: "most", rules: [{ ...all, id: "most_rule", name: "Most", passPercentage: 99.99 }] } });
  await client.createGate({ body: { name: "off", isEnabled: false, rules: [all] } });
  const defaultValue = { steps: 3, share: 0.5, label: "Buy", isOn: true, list: [1, "a", null], nested: { empty: {} }, none: null };
  await client.createDynamicConfig({ body: { name: "checkout", defaultValue, rules: [{ ...pro, returnValue: { steps: 1 } }] } });
  const groups = [
    { id: "control", name: "Control", size: 0, parameterValues: { label: "Buy" } },
    { id: "test", name: "Test", size: 100, parameterValues: { label: "Buy now" } },
  ];
  await client.createExperiment({ body: { name: "wording", allocation: 100, groups, status: "active" } });
  await client.createLayer({
    body: { name: "page", idType: "userID", parameters: [{ name: "title", type: "string", defaultValue: "Checkout" }] },
  });
  const coupons = { name: "coupons", ref_type: "gate" as const, param_type: "number" as const };
  await client.createParamStore({
    body: { name: "cart", parameters: [{ ...coupons, gate_name: "for_pro", pass_value: 2, fail_value: 0 }] },
  });
  await untilSeen(server, "cart");
}

const CHECKOUT = { steps: 3, share: 0.5, label: "Buy", isOn: true, list: [1, "a", null], nested: { empty: {} }, none: null };

type Detail = { value: unknown; reason?: string; variant?: string; flagMetadata: object };

/** OpenFeature's evaluation of each flag for a user without a plan. */
export const FOR_FREE: Record<string, Detail> = {
  everyone: { value: true, reason: "STATIC", variant: "All", flagMetadata: { kind: "gate", ruleID: "all_rule", version: 1 } },
  for_pro: { value: false, reason: "TARGETING_MATCH", variant: "default", flagMetadata: { kind: "gate", ruleID: "default", version: 1 } },
  most: { value: true, reason: "SPLIT", variant: "Most", flagMetadata: { kind: "gate", ruleID: "most_rule", version: 1 } },
  off: { value: false, reason: "DISABLED", variant: "disabled", flagMetadata: { kind: "gate", ruleID: "disabled", version: 1 } },
  checkout: {
    value: CHECKOUT,
    reason: "TARGETING_MATCH",
    variant: "default",
    flagMetadata: { kind: "dynamic_config", ruleID: "default", version: 1 },
  },
  wording: {
    value: { label: "Buy now" },
    reason: "SPLIT",
    variant: "Test",
    flagMetadata: { kind: "experiment", ruleID: "test", version: 1 },
  },
  page: {
    value: { title: "Checkout" },
    reason: "STATIC",
    variant: "default",
    flagMetadata: { kind: "layer", ruleID: "default", version: 1 },
  },
  cart: { value: { coupons: 0 }, reason: "TARGETING_MATCH", flagMetadata: { kind: "param_store" } },
};

/** The differing evaluations for a user whose plan is pro. */
export const FOR_PRO: Record<string, Detail> = {
  ...FOR_FREE,
  for_pro: { value: true, reason: "TARGETING_MATCH", variant: "Pro", flagMetadata: { kind: "gate", ruleID: "pro_rule", version: 1 } },
  checkout: {
    value: { steps: 1 },
    reason: "TARGETING_MATCH",
    variant: "Pro",
    flagMetadata: { kind: "dynamic_config", ruleID: "pro_rule", version: 1 },
  },
  cart: { value: { coupons: 2 }, reason: "TARGETING_MATCH", flagMetadata: { kind: "param_store" } },
};
