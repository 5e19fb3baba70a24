import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { needs } from "../support/needs.ts";
import { conflicting, invalid, refusal, startServer, type TestServer } from "../support/server.ts";
import { makeTeam } from "../support/teams.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const passes = (...gates: string[]) => [
  { name: "Both", passPercentage: 100, conditions: gates.map((targetValue) => ({ type: "passes_gate" as const, targetValue })) },
];

async function make(name: string, ...targets: string[]) {
  server.clock.now += 1;
  const { data } = await server.client.createGate({ body: { name, rules: passes(...targets) } });
  return { id: data.id };
}

describe("a body with references", () => {
  test("is rejected with the place of each reference that does not exist or is archived", async () => {
    const archived = await make("named but archived");
    await server.client.archiveGate({ path: archived });
    const body = { name: "names nothing", releasePipelineID: "none", rules: passes("nowhere", archived.id) };
    expect(await refusal(server.client.createGate({ body }))).toEqual(
      invalid(
        ["rules[0].conditions[0].targetValue", "references gate nowhere, which does not exist"],
        ["rules[0].conditions[1].targetValue", `references gate ${archived.id}, which is archived`],
        ["releasePipelineID", "references release pipeline none, which does not exist"],
      ),
    );
  });

  test.each([
    ["gate", "createGate", {}],
    ["dynamic config", "createDynamicConfig", {}],
    ["experiment", "createExperiment", {}],
    ["holdout", "createHoldout", {}],
    ["prompt", "createPrompt", {}],
    ["segment", "createSegment", { type: "rule_based" }],
    ["metric source", "createMetricSource", { sql: "select 1", timestampColumn: "at", idTypeMapping: [] }],
    [
      "assignment source",
      "createAssignmentSource",
      { sql: "select 1", timestampColumn: "at", experimentIDColumn: "e", groupIDColumn: "g", idTypeMapping: [] },
    ],
    ["qualifying event", "createQualifyingEvent", { sql: "select 1", timestampColumn: "at", idTypeMapping: [] }],
    ["entity property source", "createEntityPropertySource", { sql: "select 1", idTypeMapping: [] }],
  ] as const)("that is a %s, is refused for a team that does not exist, and holds one that does", async (kind, operation, given) => {
    const create = server.client[operation] as (request: { body: object }) => Promise<{ data: { id?: string } }>;
    const teamID = await makeTeam(server);
    const named = (id: string) => ({ body: { ...given, name: `of a team ${kind}`, teamID: id } });
    expect(await refusal(create(named("nobody")))).toEqual(invalid(["teamID", "references team nobody, which does not exist"]));
    const { data } = await create(named(teamID));
    const { name } = (await server.client.getTeam({ path: { id: teamID } })).data;
    expect((await refusal(server.client.deleteTeam({ path: { id: teamID } }))).message).toBe(
      `Team ${name} cannot be deleted: it is referenced by ${kind} ${data.id ?? named(teamID).body.name}. Use forceArchive to do it anyway.`,
    );
    await server.client.deleteTeam({ path: { id: teamID }, query: { forceArchive: true } });
  });

  test("is rejected with the path of the cycle that it would close, at any length", async () => {
    const a = await make("cycle a");
    const b = await make("cycle b", a.id);
    const c = await make("cycle c", b.id);
    const close = (path: { id: string }, target: string) => refusal(server.client.patchGate({ path, body: { rules: passes(target) } }));
    expect(await close(a, c.id)).toEqual(
      invalid(["rules[0].conditions[0].targetValue", "creates a cycle: gate cycle_a → gate cycle_c → gate cycle_b → gate cycle_a"]),
    );
    expect((await close(a, a.id)).errors).toEqual([
      { property: "rules[0].conditions[0].targetValue", errorMessage: "creates a cycle: gate cycle_a → gate cycle_a" },
    ]);
  });

  test("cannot close a cycle together with a concurrent write", needs.postgres, async () => {
    for (let round = 0; round < 10; round++) {
      const a = await make(`race a ${round}`);
      const b = await make(`race b ${round}`);
      const outcomes = await Promise.allSettled([
        server.client.patchGate({ path: a, body: { rules: passes(b.id) } }),
        server.client.patchGate({ path: b, body: { rules: passes(a.id) } }),
      ]);
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    }
  });
});

describe("a referenced entity", () => {
  test("cannot be archived or deleted, and the error names the entities that reference it", async () => {
    const target = await make("targeted");
    await make("referrer one", target.id);
    await server.client.createDynamicConfig({ body: { name: "referrer two", rules: passes(target.id) } });
    await server.client.createExperiment({ body: { name: "referrer three", targetingGateID: target.id } });
    const who = "dynamic config referrer_two, experiment referrer_three, gate referrer_one";
    for (const [call, fate] of [
      [() => server.client.archiveGate({ path: target }), "archived"],
      [() => server.client.deleteGate({ path: target }), "deleted"],
    ] as const) {
      expect(await refusal(call())).toEqual(
        conflicting(`Gate targeted cannot be ${fate}: it is referenced by ${who}. Use forceArchive to do it anyway.`),
      );
    }
  });

  test("can be archived or deleted with forceArchive, which is logged; its referrers can still be changed", async () => {
    const target = await make("forced away");
    const referrer = await make("left behind", target.id);
    await server.client.archiveGate({ path: target, body: { archiveReason: "No longer used.", forceArchive: true } });
    await server.client.deleteGate({ path: target, query: { forceArchive: true } });
    const rows = await server.database.prisma.change.findMany({ where: { entityID: target.id }, orderBy: { seq: "desc" }, take: 2 });
    expect(rows.map(({ operationID, reason }) => [operationID, reason])).toEqual([
      ["deleteGate", "Forced while referenced by gate left_behind."],
      ["archiveGate", "No longer used. Forced while referenced by gate left_behind."],
    ]);
    const { data } = await server.client.patchGate({ path: referrer, body: { description: "still here", rules: passes(target.id) } });
    expect(data.description).toBe("still here");
  });

  test("can be deleted after its referrers are archived, deleted or changed", async () => {
    const target = await make("released");
    const [one, two, three] = [
      await make("holds one", target.id),
      await make("holds two", target.id),
      await make("holds three", target.id),
    ];
    await server.client.archiveGate({ path: one });
    await server.client.deleteGate({ path: two });
    await server.client.patchGate({ path: three, body: { rules: [] } });
    expect((await server.client.archiveGate({ path: target })).data.status).toBe("Archived");
    expect(await refusal(server.client.unarchiveGate({ path: one }))).toEqual(
      invalid(["rules[0].conditions[0].targetValue", "references gate released, which is archived"]),
    );
  });

  test("is never deleted during a concurrent write that references it", needs.postgres, async () => {
    for (let round = 0; round < 10; round++) {
      const target = await make(`raced target ${round}`);
      const [made, deleted] = await Promise.allSettled([
        make(`raced referrer ${round}`, target.id),
        server.client.deleteGate({ path: target }),
      ]);
      expect([made.status, deleted.status].toSorted()).toEqual(["fulfilled", "rejected"]);
    }
  });
});

describe("listGateGateReferences and listGateExperimentReferences", () => {
  test("200: active gates and experiments that reference the gate, newest first", async () => {
    const target = await make("referred to");
    const old = await make("refers first", target.id);
    const archived = await make("refers no more", target.id);
    await server.client.archiveGate({ path: archived });
    const recent = await make("refers last", target.id);
    const gates = await server.client.listGateGateReferences({ path: target, query: { limit: 1 } });
    expect(gates.data).toEqual([(await server.client.getGate({ path: recent })).data]);
    expect(gates.pagination).toMatchObject({ totalItems: 2, nextPage: "/console/v1/gates/referred_to/gate_references?page=2&limit=1" });
    const second = await server.client.listGateGateReferences({ path: target, query: { limit: 1, page: 2 } });
    expect(second.data.map(({ id }) => id)).toEqual([old.id]);
    const { data } = await server.client.createExperiment({ body: { name: "refers too", targetingGateID: target.id } });
    expect((await server.client.listGateExperimentReferences({ path: target })).data).toEqual([data]);
  });
});
