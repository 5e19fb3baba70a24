import { expect, test } from "vitest";
import { lacksEndpoint } from "./endpoint-errors.ts";

test("only the lack of a model endpoint leads to where one is connected", () => {
  expect(lacksEndpoint("The project has no model endpoint. Connect one first.")).toBe(true);
  expect(lacksEndpoint("The project has no model endpoint.")).toBe(true);
  expect(lacksEndpoint("The dataset has no rows.")).toBe(false);
});
