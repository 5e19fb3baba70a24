import document from "@gatehouse/contract/console.json" with { type: "json" };
import { expect, test } from "vitest";
import { identifier } from "../../server/src/common/identifier.ts";
import { layerIdentifier } from "../../server/src/console/layers/layer.ts";
import { segmentIdentifier } from "../../server/src/console/segments/segment.ts";
import { idOfName, layerIDOfName, nameFault, segmentIDOfName } from "../src/entity/entity-id.ts";

const NAMES = ["Checkout", "VIP customers", "New  checkout\tv2.1", "one-page_layout", "Preis – ÄÖ & £ 3/4", "İstanbul"];

test.each(NAMES)("the previewed ID of %s is the one that the server makes", (name) => {
  expect([idOfName(name), layerIDOfName(name), segmentIDOfName(name)]).toEqual([
    identifier(name),
    layerIdentifier(name),
    segmentIdentifier(name),
  ]);
});

const schemas = document.components.schemas as Record<string, { properties?: { name?: { pattern?: string } } }>;

test.each([
  ["gate", "GateProperties"],
  ["dynamic config", "DynamicConfigProperties"],
  ["alert", "AlertProperties"],
  ["autotune", "AutotuneProperties"],
  ["dashboard", "DashboardProperties"],
  ["experiment", "ExperimentIdentity"],
  ["holdout", "HoldoutProperties"],
  ["layer", "LayerProperties"],
  ["prompt", "PromptIdentity"],
  ["prompt dataset", "PromptDatasetIdentity"],
  ["segment", "SegmentProperties"],
])("the name of a new %s is refused while it is typed if the contract refuses its characters", (noun, schema) => {
  const pattern = schemas[schema]?.properties?.name?.pattern;
  for (const name of [...NAMES, "Delivery promise A/B/C", "v2.1", "a_b-c d"]) {
    expect([name, nameFault(noun, name) === undefined]).toEqual([name, new RegExp(pattern ?? "none").test(name)]);
  }
});
