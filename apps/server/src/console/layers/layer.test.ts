import { expect, test } from "vitest";
import { layerIdentifier } from "./layer.ts";

test.each([
  ["The best layer", "the_best_layer"],
  ["Checkout -- page", "checkout_page"],
  ["a__b", "a_b"],
  ["v2", "v2"],
  ["---", "_"],
])("a layer named %j has the id %s", (name, id) => {
  expect(layerIdentifier(name)).toBe(id);
});
