import type { TestServer } from "./server.ts";

/** A rule for users with an address of `staff.example`, and one for everyone. */
export const staff = {
  name: "Staff",
  passPercentage: 100,
  conditions: [{ type: "email" as const, operator: "str_contains_any" as const, targetValue: ["@staff.example"] }],
};
export const everyone = { name: "Everyone", passPercentage: 100, conditions: [{ type: "public" as const }] };

/** Creates an entity of each kind that previews evaluate, except gates. */
export async function makeEvaluated({ client }: Pick<TestServer, "client">): Promise<void> {
  await client.createDynamicConfig({ body: { name: "colors", isEnabled: true, defaultValue: { button: "red" } } });
  await client.createSegment({ body: { name: "employees", type: "rule_based", rules: [staff] } });
  await client.createSegment({ body: { name: "testers", type: "id_list" } });
  await client.addSegmentIDs({ path: { id: "testers" }, body: { ids: ["bob"] } });
  await client.createLayer({
    body: { name: "page", idType: "userID", parameters: [{ name: "size", type: "number", defaultValue: 4 }] },
  });
  await client.createExperiment({
    body: {
      name: "larger",
      layerID: "page",
      allocation: 100,
      groups: [{ name: "Large", id: "large", size: 100, parameterValues: { size: 8 } }],
    },
  });
  await client.startExperiment({ path: { id: "larger" } });
  await client.createHoldout({ body: { name: "held", passPercentage: 10, isEnabled: true } });
  await client.createParamStore({
    body: { name: "store", parameters: [{ name: "greeting", ref_type: "static", param_type: "string", value: "hello" }] },
  });
}
