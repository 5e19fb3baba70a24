import { merged } from "../merged.ts";
import type { SliceOperations } from "../slice.ts";
import { gateHandlers } from "./gate-handlers.ts";
import { gateOverrideHandlers } from "./gate-override-handlers.ts";
import { gateRuleHandlers } from "./gate-rule-handlers.ts";
import { guardrailHandlers } from "./guardrail-handlers.ts";

export { createGateStore as createStore, gateKind as kind, gateOverridesKind as overridesKind } from "./gate-store.ts";

export const operations = { create: "createGate", read: "getGate", readOverrides: "getGateOverrides" } satisfies SliceOperations;

export const handlers = merged({ gateHandlers, gateOverrideHandlers, gateRuleHandlers, guardrailHandlers });
