import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conflicting, invalid, refusal, startServer, type TestServer } from "../support/server.ts";
import { makeTeam } from "../support/teams.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const createSegment = async (name: string) => (await server.client.createSegment({ body: { name, type: "id_list" } })).data;

const notThere = { status: 404, code: "not_found", message: "Segment nope does not exist.", errors: [] };
const staff = {
  name: "Staff",
  passPercentage: 100,
  conditions: [{ type: "email" as const, operator: "str_contains_any" as const, targetValue: ["@example.com"] }],
};

describe("createSegment", () => {
  test("201: only name and type are required; the id is the name", async () => {
    const { data, message, etag } = await server.client.createSegment({ body: { name: "Beta-Testers", type: "id_list" } });
    expect(message).toBe("Segment created successfully.");
    expect(etag).toBe(`"1-${server.clock.now.toString(36)}"`);
    expect(data).toEqual({
      id: "Beta-Testers",
      name: "Beta-Testers",
      type: "id_list",
      description: "",
      idType: "userID",
      isEnabled: true,
      count: 0,
      rules: [],
      tags: [],
      targetApps: [],
      holdoutIDs: [],
      team: null,
      teamID: null,
      creatorID: expect.stringMatching(/^key_/),
      creatorName: "CONSOLE API",
      creatorEmail: null,
      createdTime: server.clock.now,
      lastModifierID: expect.stringMatching(/^key_/),
      lastModifierName: "CONSOLE API",
      lastModifierEmail: null,
      lastModifiedTime: server.clock.now,
      version: 1,
    });
  });

  test("201: stores every field as given, and gives rules ids", async () => {
    const given = {
      id: "staff-1",
      name: "Staff in Norway",
      type: "rule_based" as const,
      description: "Colleagues.",
      idType: "stableID",
      tags: ["internal"],
      creatorID: "u1",
      creatorEmail: "kim@example.com",
      team: "Payments",
      teamID: await makeTeam(server),
    };
    const { data } = await server.client.createSegment({ body: { ...given, rules: [staff] } });
    const id = expect.stringMatching(/^\w{22}$/);
    expect(data).toMatchObject({ ...given, rules: [{ ...staff, id, baseID: id, environments: null }] });
  });

  test("201: derives an id without spaces from a name with spaces", async () => {
    expect((await createSegment("Rule Based Segment")).id).toBe("rule_based_segment");
  });

  test("400: rules for a type that has none", async () => {
    const body = { name: "listed", type: "id_list" as const, rules: [staff] };
    expect(await refusal(server.client.createSegment({ body }))).toEqual({
      status: 400,
      code: "invalid_request",
      message: "The request is not valid.",
      errors: [{ property: "rules", errorMessage: "must be left out with type id_list" }],
    });
  });

  test("400: reports such rules together with their violations", async () => {
    const body = { name: "listed", type: "id_list" as const, rules: [staff, staff] };
    expect(await refusal(server.client.createSegment({ body }))).toEqual(
      invalid(
        ["rules[1].name", `must be unique in rules, but ${staff.name} is given twice`],
        ["rules", "must be left out with type id_list"],
      ),
    );
  });

  test("400: a rule whose condition lacks its operator", async () => {
    const rules = [{ ...staff, conditions: [{ type: "email" as const, targetValue: ["x"] }] }];
    expect((await refusal(server.client.createSegment({ body: { name: "ruled", type: "rule_based", rules } }))).errors).toEqual([
      { property: "rules[0].conditions[0].operator", errorMessage: "is required with type email" },
    ]);
  });

  test("400: an illegal type, id or name", async () => {
    const { body } = await server.send("POST", "/console/v1/segments", { body: { name: "no\u200Bspace", id: "a b c", type: "list" } });
    expect(body.errors).toEqual(
      expect.arrayContaining([
        { property: "name", errorMessage: expect.stringMatching(/^must not be blank, and must not have control characters/) },
        { property: "id", errorMessage: expect.stringMatching(/^must have only letters from a to z, digits/) },
        { property: "type", errorMessage: expect.stringContaining("must be equal to one of the allowed values") },
      ]),
    );
    expect(body.errors).toHaveLength(3);
  });

  test("409: the id is taken", async () => {
    await createSegment("taken");
    const body = { id: "taken", name: "Another", type: "rule_based" as const };
    expect(await refusal(server.client.createSegment({ body }))).toEqual(conflicting("Segment taken already exists."));
  });
});

describe("getSegment", () => {
  test("200: returns the segment as created", async () => {
    const segment = await createSegment("to read");
    const { data, message } = await server.client.getSegment({ path: { id: segment.id } });
    expect(message).toBe("Segment read successfully.");
    expect(data).toEqual(segment);
  });

  test("304: the caller has the current version", async () => {
    const { data, etag } = await server.client.createSegment({ body: { name: "held", type: "id_list" } });
    const answer = await server.send("GET", `/console/v1/segments/${data.id}`, { headers: { "If-None-Match": etag ?? "" } });
    expect(answer.status).toBe(304);
  });

  test("404: the segment does not exist", async () => {
    expect(await refusal(server.client.getSegment({ path: { id: "nope" } }))).toEqual(notThere);
  });
});

describe("listSegments", () => {
  test("200: newest first, in pages", async () => {
    server.clock.now += 1000;
    const b = await createSegment("list_b");
    const a = await createSegment("list_a");
    server.clock.now += 1000;
    const c = await createSegment("list_c");
    const { data, message, pagination } = await server.client.listSegments({ query: { limit: 2 } });
    expect(message).toBe("Segments listed successfully.");
    expect(data).toEqual([c, a]);
    expect(pagination).toEqual({
      itemsPerPage: 2,
      pageNumber: 1,
      totalItems: await server.database.prisma.segment.count(),
      nextPage: "/console/v1/segments?page=2&limit=2",
      previousPage: null,
      all: "/console/v1/segments",
    });
    expect((await server.client.listSegments({ query: { limit: 2, page: 2 } })).data[0]).toEqual(b);
  });
});

describe("deleteSegment", () => {
  test("200: deletes the segment, and frees its id", async () => {
    const { id } = await createSegment("short_lived");
    expect(await server.client.deleteSegment({ path: { id } })).toMatchObject({ message: "Segment deleted successfully." });
    expect((await refusal(server.client.getSegment({ path: { id } }))).status).toBe(404);
    expect((await createSegment("short_lived")).version).toBe(1);
  });

  test("404: the segment does not exist", async () => {
    expect(await refusal(server.client.deleteSegment({ path: { id: "nope" } }))).toEqual(notThere);
  });

  test("409 or 404: exactly one of several concurrent deletions succeeds", async () => {
    const { id } = await createSegment("contended");
    const remove = () => server.send("DELETE", `/console/v1/segments/${id}`);
    const statuses = (await Promise.all([remove(), remove(), remove()])).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409 || status === 404)).toHaveLength(2);
  });

  test("412: If-Match names another version", async () => {
    const { id } = await createSegment("guarded");
    const answer = await server.send("DELETE", `/console/v1/segments/${id}`, { headers: { "If-Match": '"9-x"' } });
    expect(answer.status).toBe(412);
    expect((await server.client.getSegment({ path: { id } })).data.id).toBe(id);
  });
});
