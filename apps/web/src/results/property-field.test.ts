import { expect, test } from "vitest";
import { propertyField } from "./property-field.ts";

test("a property has the name of its source, escaped, and of its column as it is", () => {
  expect(propertyField("shop_customers", "plan")).toBe("property.shop_customers.plan");
  expect(propertyField("50% of a.b", "c.d%")).toBe("property.50%25 of a%2Eb.c.d%");
});
