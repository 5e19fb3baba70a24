import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conflicting, invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const byAddress = {
  name: "By address",
  passPercentage: 100,
  conditions: [{ type: "email" as const, operator: "str_contains_any" as const, targetValue: ["@example.com"] }],
};
const inSegment = (id: string) => ({
  name: "In a segment",
  passPercentage: 100,
  conditions: [{ type: "passes_segment" as const, targetValue: id }],
});

const make = async (name: string, rules: (typeof byAddress | ReturnType<typeof inSegment>)[] = []) =>
  (await server.client.createSegment({ body: { name, type: "rule_based", rules } })).data;
const isListed = async (id: string, query: object = {}) =>
  (await server.client.listSegments({ query })).data.some((segment) => segment.id === id);
const updateRules = (id: string, body: unknown) => server.send("POST", `/console/v1/segments/${id}/conditional`, { body });

describe("patchSegment", () => {
  test("200: changes the given fields alone, and a rule that keeps its id keeps its baseID", async () => {
    const segment = await make("patched", [byAddress]);
    const path = { id: segment.id };
    server.clock.now += 1000;
    const { data, message } = await server.client.patchSegment({ path, body: { name: "Patched Once", tags: ["internal"] } });
    expect(message).toBe("Segment updated successfully.");
    const changed = { ...segment, name: "Patched Once", tags: ["internal"], version: 2, lastModifiedTime: server.clock.now };
    expect(data).toEqual(changed);
    const [rule] = segment.rules as [(typeof segment.rules)[number]];
    const rules = [{ ...rule, name: "Renamed" }];
    expect((await server.client.patchSegment({ path, body: { rules } })).data).toEqual({ ...changed, rules, version: 3 });
  });

  test("400: another type, rules of a list, and conditions that no segment may have", async () => {
    const { data } = await server.client.createSegment({ body: { name: "patched_list", type: "id_list" } });
    const patch = (id: string, body: object) => refusal(server.client.patchSegment({ path: { id }, body }));
    expect(await patch(data.id, { type: "rule_based", rules: [byAddress] })).toEqual(
      invalid(["type", "must stay id_list"], ["rules", "must be left out with type id_list"]),
    );
    const passes = { ...byAddress, conditions: [{ type: "passes_gate" as const, targetValue: "any" }] };
    expect(await patch((await make("patched_rules")).id, { rules: [passes] })).toEqual(
      invalid(["rules[0].conditions[0].type", expect.stringMatching(/^cannot be passes_gate in the rules of a segment\./)]),
    );
  });

  test("409: the segment is archived", async () => {
    const segment = await make("patched_late");
    await server.client.archiveSegment({ path: { id: segment.id } });
    const patched = server.client.patchSegment({ path: { id: segment.id }, body: { description: "Late." } });
    expect(await refusal(patched)).toEqual(conflicting("Segment patched_late is archived. Unarchive it first.", "isEnabled"));
  });
});

describe("updateSegmentRules", () => {
  test("200: replaces all rules; a rule that keeps its id keeps its baseID", async () => {
    const segment = await make("new_rules", [byAddress]);
    const [rule] = segment.rules as [(typeof segment.rules)[number]];
    const body = [
      { ...byAddress, name: "Another" },
      { ...rule, name: "Renamed" },
    ];
    server.clock.now += 1000;
    const { data, message } = await server.client.updateSegmentRules({ path: { id: segment.id }, body });
    expect(message).toBe("Rules successfully updated");
    const id = expect.stringMatching(/^\w{22}$/);
    expect(data).toEqual({
      ...segment,
      rules: [
        { ...byAddress, name: "Another", id, baseID: id, environments: null },
        { ...rule, name: "Renamed" },
      ],
      version: 2,
      lastModifiedTime: server.clock.now,
    });
  });

  test("400: a segment of another type", async () => {
    const { data } = await server.client.createSegment({ body: { name: "listed", type: "id_list" } });
    expect(await refusal(server.client.updateSegmentRules({ path: { id: data.id }, body: [] }))).toEqual({
      status: 400,
      code: "invalid_request",
      message: "Segment must be of type 'rule_based' to be modified on this endpoint",
      errors: [],
    });
  });

  test("400: names every violation by its place in the list", async () => {
    const { id } = await make("violated");
    const { body } = await updateRules(id, [{ name: "r", passPercentage: 101, conditions: [{ type: "emial" }], condition: [] }]);
    expect(body.errors).toEqual(
      expect.arrayContaining([
        { property: "[0].passPercentage", errorMessage: "must be <= 100" },
        { property: "[0].condition", errorMessage: "is unknown. Did you mean conditions?" },
        { property: "[0].conditions[0].type", errorMessage: expect.stringContaining("must be equal to one of the allowed values") },
      ]),
    );
    expect(body.errors).toHaveLength(3);
    const rules = [byAddress, { ...byAddress, conditions: [{ type: "email" }] }];
    expect((await updateRules(id, rules)).body.errors).toEqual([
      { property: "[1].name", errorMessage: "must be unique in the body, but By address is given twice" },
      { property: "[1].conditions[0].operator", errorMessage: "is required with type email" },
    ]);
  });

  test("400: a condition that segments do not support", async () => {
    const { id } = await make("asking");
    const rules = [byAddress, { ...byAddress, name: "Everyone", conditions: [...byAddress.conditions, { type: "public" }] }];
    expect((await updateRules(id, rules)).body.errors).toEqual([
      {
        property: "[1].conditions[1].type",
        errorMessage: expect.stringMatching(/^cannot be public in the rules of a segment. Use one of app_v/),
      },
    ]);
  });

  test("400: a reference to an unknown segment, or to itself", async () => {
    const { id } = await make("referring");
    const call = (to: string) => server.client.updateSegmentRules({ path: { id }, body: [inSegment(to)] });
    expect(await refusal(call("nope"))).toEqual(
      invalid(["rules[0].conditions[0].targetValue", "references segment nope, which does not exist"]),
    );
    expect((await refusal(call(id))).errors).toEqual([
      { property: "rules[0].conditions[0].targetValue", errorMessage: expect.stringContaining("segment referring") },
    ]);
  });

  test("409: the segment is archived", async () => {
    const { id } = await make("ruled_out");
    await server.client.archiveSegment({ path: { id } });
    expect(await refusal(server.client.updateSegmentRules({ path: { id }, body: [] }))).toEqual(
      conflicting("Segment ruled_out is archived. Unarchive it first.", "isEnabled"),
    );
  });
});

describe("archiveSegment", () => {
  test("200: the segment contains no user, and lists omit it", async () => {
    const segment = await make("shelved", [byAddress]);
    const { data, message } = await server.client.archiveSegment({ path: { id: segment.id }, body: { archiveReason: "over" } });
    expect(message).toBe("Segment archived successfully.");
    expect(data).toEqual({ ...segment, isEnabled: false, version: 2 });
    expect(await isListed(segment.id)).toBe(false);
    expect(await isListed(segment.id, { includeArchived: true })).toBe(true);
    expect((await server.client.getSegment({ path: { id: segment.id } })).data).toEqual(data);
  });

  test("409: other entities reference the segment, unless forced", async () => {
    const { id } = await make("targeted");
    await make("targeting", [inSegment(id)]);
    expect(await refusal(server.client.archiveSegment({ path: { id } }))).toMatchObject({
      status: 409,
      message: expect.stringContaining("segment targeting"),
    });
    const { data } = await server.client.archiveSegment({ path: { id }, body: { forceArchive: true } });
    expect(data.isEnabled).toBe(false);
  });
});

describe("unarchiveSegment", () => {
  test("200: restores the segment, which lists then show", async () => {
    const segment = await make("back again", [byAddress]);
    await server.client.archiveSegment({ path: { id: segment.id } });
    const { data, message } = await server.client.unarchiveSegment({ path: { id: segment.id } });
    expect(message).toBe("Segment unarchived successfully.");
    expect(data).toEqual({ ...segment, version: 3 });
    expect(await isListed(segment.id)).toBe(true);
  });
});

describe("deleteSegment", () => {
  test("409: other entities reference the segment, unless forced", async () => {
    const { id } = await make("needed");
    await make("needing", [inSegment(id)]);
    const refused = server.client.deleteSegment({ path: { id } });
    expect(await refusal(refused)).toMatchObject({ status: 409, message: expect.stringContaining("segment needing") });
    await server.client.deleteSegment({ path: { id }, query: { forceArchive: true } });
    expect((await refusal(server.client.getSegment({ path: { id } }))).status).toBe(404);
  });
});

describe("listSegmentVersions", () => {
  test("200: every version, newest first; each can be restored", async () => {
    const first = await make("versioned", [byAddress]);
    const path = { id: first.id };
    const { data: second } = await server.client.updateSegmentRules({ path, body: [] });
    const { data, message } = await server.client.listSegmentVersions({ path });
    expect(message).toBe("Segment versions listed successfully.");
    expect(data).toEqual([second, first]);
    const restored = await server.client.restoreSegmentVersion({ path: { ...path, version: 1 } });
    expect(restored.data).toEqual({ ...first, version: 3 });
  });
});
