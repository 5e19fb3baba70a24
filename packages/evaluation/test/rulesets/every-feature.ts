import { hashID, type ParamStore, type RulesetV1, type RulesetV2 } from "../../src/index.ts";
import { asV2, ruleset } from "../support/ruleset.ts";
import { CONFIGS, LAYERS, OF_A_GROUP } from "./configs.ts";
import { FALSE_BY_RULE, GATES, OF_SEVERAL_GATES } from "./gates.ts";

const PARAM_STORES: Record<string, ParamStore> = {
  texts: {
    parameters: {
      fixed: { ref_type: "static", param_type: "string", value: "Buy" },
      coupons: { ref_type: "gate", param_type: "number", gate_name: "by segments", pass_value: 2, fail_value: 0 },
      colour: { ref_type: "dynamic_config", param_type: "string", config_name: "colours", param_name: "main" },
      label: { ref_type: "experiment", param_type: "string", experiment_name: "halves", param_name: "label" },
      title: { ref_type: "layer", param_type: "string", layer_name: "page", param_name: "title" },
      missing: { ref_type: "gate", param_type: "boolean", gate_name: "missing", pass_value: true, fail_value: false },
    },
  },
  empty: { parameters: {} },
};

/** Users of the id list. */
const FRIENDS = Array.from({ length: 120 }, (_, index) => `user_${index * 5}`);

export const ID_LISTS: Record<string, string[]> = { friends: FRIENDS.map(hashID) };

const LAYER_OF = { "page title": "page", "page steps": "page", "page over": "page that is over" };

/** One of everything that a ruleset can hold, as servers write it for SDKs. */
export const EVERY_FEATURE: RulesetV1 = ruleset({
  has_updates: true,
  feature_gates: [...GATES, FALSE_BY_RULE, OF_SEVERAL_GATES],
  dynamic_configs: [...CONFIGS, OF_A_GROUP],
  layer_configs: LAYERS,
  layers: { page: ["page title", "page steps"], "page that is over": ["page over"] },
  param_stores: PARAM_STORES,
  id_lists: { friends: true },
  default_environment: "production",
  app_id: "web",
});

/** The same in the other shape. */
export const EVERY_FEATURE_V2: RulesetV2 = { ...asV2(EVERY_FEATURE), experiment_to_layer: LAYER_OF };
