import { expect, it } from "vitest";
import { AUDITED_TYPES } from "../../kinds/kinds.ts";
import { auditLogSearch, changesFilter } from "./page-search.ts";
import { CUSTOM, firstDay, periodOf } from "./periods.ts";

it.each(AUDITED_TYPES)("keeps the type %s of a link and filters by it", (type) => {
  const search = auditLogSearch({ type });
  expect(search).toEqual({ type });
  expect(changesFilter(search)).toEqual({ entityType: type });
});

it("leaves out a type that no change has", () => {
  expect(auditLogSearch({ type: "invented", entity: "checkout" })).toEqual({ entity: "checkout" });
});

it("names the period that the days of an address are, on the day when they are read", () => {
  const now = Date.UTC(2026, 10, 30, 1);
  expect(firstDay("week", now)).toBe("2026-11-24");
  expect(firstDay("any", now)).toBeUndefined();
  expect(periodOf({ from: "2026-11-24" }, now)).toBe("week");
  expect(periodOf({}, now)).toBe("any");
  expect(periodOf({ from: "2026-11-24", to: "2026-11-25" }, now)).toBe(CUSTOM);
  expect(periodOf({ from: "2026-11-23" }, now)).toBe(CUSTOM);
});
