import { expect, test } from "vitest";
import { layerId } from "./layer.ts";

test.each([
  ["The best layer", "the_best_layer"],
  ["Checkout -- page", "checkout_page"],
  ["a__b", "a_b"],
  ["v2", "v2"],
  ["---", "_"],
])("layerId: %s is %s", (name, id) => {
  expect(layerId(name)).toBe(id);
});
