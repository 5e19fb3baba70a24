import { expect, test } from "vitest";
import { describeEvent } from "./event-words.ts";
import type { WebhookEvent } from "./webhook-event.ts";

const field = (name: string, before: unknown, after: unknown) => ({ field: name, before, after, isCut: false });

function describe(given: Partial<WebhookEvent["data"]>, names = new Map<string, string>()): string {
  const { fields = [] } = given;
  const data = { action: "updated", actorName: "Bea", entityType: "gate", entityID: "shop", entityName: "Shop", reason: null, ...given };
  return describeEvent({ type: "", timestamp: "", data: { fieldCount: fields.length, ...data } as WebhookEvent["data"] }, names, false);
}

test.each([
  [[field("disabledEnvironments", [], ["staging"])], "Bea turned off gate Shop in staging"],
  [[field("disabledEnvironments", ["staging"], null)], "Bea turned on gate Shop in staging"],
  [[field("disabledEnvironments", ["a"], ["b", "c"])], "Bea turned off gate Shop in b and c, and turned it on in a"],
  [[field("isEnabled", true, false), field("status", "In Progress", "Disabled")], "Bea disabled gate Shop"],
  [[field("isEnabled", false, true)], "Bea enabled gate Shop"],
  [[field("status", "Disabled", "Archived")], "Bea archived gate Shop"],
  [[field("status", "Archived", "In Progress")], "Bea unarchived gate Shop"],
  [[field("isEnabled", true, false), field("ownerID", "a", "b")], "Bea updated gate Shop: is enabled, owner ID"],
  [
    [field("rules[0].passPercentage", 1, 2), field("rules[1].passPercentage", 1, 2), field("idType", "userID", "stableID")],
    "Bea updated gate Shop: rules › pass percentage, ID type",
  ],
])("%j reads as %j", (fields, text) => {
  expect(describe({ fields })).toBe(text);
});

test("fields that are not listed are counted", () => {
  expect(describe({ fields: [field("description", "a", "b")], fieldCount: 3 })).toBe("Bea updated gate Shop: description and 2 more");
});

test("an entity without a name is named as the person that it stands for, or by its type", () => {
  const member = { entityType: "member", entityID: "rm9Isgbmuy1sPGxHfSxnTw", entityName: null, action: "deleted" as const };
  expect(describe(member, new Map([[member.entityID, "Carl Cole"]]))).toBe("Bea deleted member Carl Cole");
  expect(describe(member)).toBe("Bea deleted a member");
  expect(describe({ ...member, entityType: "gate_overrides", entityID: "shop" })).toBe("Bea deleted gate overrides shop");
});
