import { expect, it } from "vitest";
import { AUDITED_TYPES } from "../../kinds/kinds.ts";
import { auditLogSearch, changesFilter } from "./page-search.ts";

it.each(AUDITED_TYPES)("keeps the type %s of a link and filters by it", (type) => {
  const search = auditLogSearch({ type });
  expect(search).toEqual({ type });
  expect(changesFilter(search)).toEqual({ entityType: type });
});

it("leaves out a type that no change has", () => {
  expect(auditLogSearch({ type: "invented", entity: "checkout" })).toEqual({ entity: "checkout" });
});
