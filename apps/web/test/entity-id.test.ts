import document from "@gatehouse/contract/console.json" with { type: "json" };
import { expect, test } from "vitest";
import { nameFault, previewID } from "../src/entity/entity-id.ts";

test("a name that no ID follows from needs one, or gets a random one if no code uses it", () => {
  expect(["dynamic config", "layer", "dashboard", "alert"].map((noun) => previewID(noun, "结账页面"))).toEqual([
    { isRandom: false },
    { isRandom: false },
    { isRandom: true },
    { isRandom: true },
  ]);
  expect(["dynamic config", "layer", "dashboard"].map((noun) => previewID(noun, "Café v2.1"))).toEqual([
    "cafe_v2.1",
    "cafe_v2_1",
    "cafe_v2.1",
  ]);
});

const schemas = document.components.schemas as Record<string, { properties?: { name?: { pattern?: string } } }>;

test("the name of a new gate is refused while it is typed if the contract refuses its characters", () => {
  const pattern = schemas.GateProperties?.properties?.name?.pattern ?? "none";
  for (const name of [
    "Checkout",
    "VIP customers",
    "New  checkout\tv2.1",
    "Preis – ÄÖ & £ 3/4",
    "İstanbul",
    "Delivery promise A/B/C",
    "v2.1",
  ])
    expect([name, nameFault("gate", name) === undefined]).toEqual([name, new RegExp(pattern).test(name)]);
  expect(nameFault("experiment", "Delivery promise A/B/C")).toBeUndefined();
});
