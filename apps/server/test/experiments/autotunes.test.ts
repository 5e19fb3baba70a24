import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAutotune, SETTINGS, startedAutotune } from "../support/autotunes.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const read = async (id: string) => (await server.client.getAutotune({ path: { id } })).data;
const fixed = (property: string) => invalid([property, "cannot change once the autotune has started. Reset it first"]);
const refusedStep = (property: string, message: string) => ({
  status: 400,
  code: "invalid_request",
  message,
  errors: [{ property, errorMessage: message }],
});

describe("createAutotune", () => {
  test("201: omitted fields get defaults, and the autotune does not start", async () => {
    const { data, message, etag } = await server.client.createAutotune({ body: { name: "Best button", ...SETTINGS } });
    expect(message).toBe("Autotune Experiments created successfully.");
    expect(etag).toBe(`"1-${server.clock.now.toString(36)}"`);
    expect(data).toEqual({
      id: "best_button",
      name: "Best button",
      description: "",
      idType: "userID",
      variants: SETTINGS.variants,
      successEvent: "purchase",
      successEventValue: "",
      metadataField: "",
      optimizationParameter: "occurrence",
      valueColumn: "",
      higherIsBetter: true,
      explorationWindow: "24hr",
      explorationWindowRate: 1,
      attributionWindow: "1hr",
      attributionWindowUnit: "hour",
      winnerThreshold: "95%",
      isStarted: false,
      startTime: null,
      winner: null,
      decisionTime: null,
      decisionReason: null,
      salt: expect.stringMatching(/^\w{22}$/),
      progress: null,
      tags: [],
      targetApps: [],
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

  test("201: the server gives variants without an id one, and takes the equal sizes of existing clients", async () => {
    const variants = ["A", "B", "C"].map((name, index) => ({ name, json: { name }, size: index === 2 ? 34 : 33 }));
    const { variants: made } = await createAutotune(server, "sized", { variants });
    expect(made).toEqual(["A", "B", "C"].map((name) => ({ id: expect.stringMatching(/^\w{22}$/), name, json: { name } })));
    expect(new Set(made.map(({ id }) => id)).size).toBe(3);
  });

  test.each([
    ["1hrs", "2", undefined, "1hr", "2hr", "hour"],
    ["336", "24hrs", "hour", "336hr", "24hr", "hour"],
    ["48hr", "4", "min", "48hr", "4", "min"],
    ["168hr", "1", "day", "168hr", "1", "day"],
  ] as const)("201: windows %s and %s of unit %s are stored as %s, %s and %s", async (exploration, attribution, unit, ...stored) => {
    const given = { explorationWindow: exploration, attributionWindow: attribution, ...(unit && { attributionWindowUnit: unit }) };
    const { explorationWindow, attributionWindow, attributionWindowUnit } = await createAutotune(
      server,
      `windows ${exploration} ${attribution}`,
      given,
    );
    expect([explorationWindow, attributionWindow, attributionWindowUnit]).toEqual(stored);
  });

  test("201: what asks for no contextual autotune is accepted and not stored", async () => {
    const data = await createAutotune(server, "plain", { isContextual: false, featureList: [], metricSourceID: "" });
    for (const field of ["isContextual", "featureList", "metricSourceID"]) expect(data).not.toHaveProperty(field);
  });

  test("400: what nothing would compute is refused with the reason, all of it at once", async () => {
    const given = { isContextual: true, featureList: ["country"], metricSourceID: "orders", metadataField: "sku", valueColumn: "price" };
    expect(await refusal(createAutotune(server, "contextual", given))).toEqual(
      invalid(
        [
          "isContextual",
          "must be false: contextual autotunes are not supported, since the server trains no model that chooses by a unit's features",
        ],
        ["featureList", "must be empty: only contextual autotunes read features, and they are not supported"],
        [
          "metricSourceID",
          "must be empty: outcomes are read from the events that applications log, by successEvent, and from no metric source",
        ],
        ["metadataField", "needs successEventValue, the text that it is compared with"],
        ["valueColumn", "needs the optimizationParameter value: occurrences have no number"],
      ),
    );
  });

  test("400: variants must differ, and cannot ask for shares", async () => {
    const variants = [
      { id: "one", name: "One", json: {}, size: 90 },
      { id: "one", name: "One", json: {}, size: 50.5 },
      { id: "prestart", name: "Three", json: {} },
    ];
    const shares = "must be 33.3 or be left out in all variants: the server begins with equal shares and decides the others itself";
    expect(await refusal(createAutotune(server, "same", { variants }))).toEqual(
      invalid(
        ["variants[0].size", shares],
        ["variants[1].size", shares],
        ["variants[2].size", shares],
        ["variants[1].name", "must differ from those of other variants, not be One again"],
        ["variants[1].id", "must not be the id of another variant"],
        ["variants[2].id", "must not be prestart, which is what SDKs report when no variant decided"],
      ),
    );
  });

  test("400: a window in hours contradicts another unit", async () => {
    expect(await refusal(createAutotune(server, "torn", { attributionWindow: "2hr", attributionWindowUnit: "day" }))).toEqual(
      invalid(["attributionWindowUnit", "contradicts attributionWindow, which says hours. Give the number alone, 2, for another unit"]),
    );
  });
});

describe("updateAutotune and patchAutotune", () => {
  test("200: what getAutotune answers can be sent back, and changes nothing but the version", async () => {
    const before = await startedAutotune(server, "round_trip", { longtermExplorationAllocation: 0.2, attributionWindowUnit: "hour" });
    const { body } = await server.send("POST", `/console/v1/autotunes/${before.id}`, { body: before });
    expect(body.message).toBe("Autotune Experiment read successfully.");
    expect(body.data).toEqual({ ...before, lastModifiedTime: server.clock.now, version: before.version + 1 });
  });

  test("200: variants keep the id of their name", async () => {
    const { id } = await createAutotune(server, "renamed_variants");
    const variants = [
      { name: "Green", json: { color: "lime" } },
      { name: "Red", json: { color: "red" } },
    ];
    const { data, message } = await server.client.patchAutotune({ path: { id }, body: { variants } });
    expect(message).toBe("Autotune Experiment updated successfully.");
    expect(data.variants).toEqual([
      { id: "green", name: "Green", json: { color: "lime" } },
      { id: expect.stringMatching(/^\w{22}$/), name: "Red", json: { color: "red" } },
    ]);
  });

  test("200: the unit of a window changes with it or alone, and null removes the long-term exploration", async () => {
    const { id } = await createAutotune(server, "rewindowed", { longtermExplorationAllocation: 0.2 });
    const patch = async (body: object) => (await server.client.patchAutotune({ path: { id }, body })).data;
    expect(await patch({ attributionWindowUnit: "min" })).toMatchObject({ attributionWindow: "1", attributionWindowUnit: "min" });
    expect(await patch({ attributionWindow: "24" })).toMatchObject({ attributionWindow: "24", attributionWindowUnit: "min" });
    expect(await patch({ attributionWindow: "2hrs" })).toMatchObject({ attributionWindow: "2hr", attributionWindowUnit: "hour" });
    expect(await patch({ longtermExplorationAllocation: null })).not.toHaveProperty("longtermExplorationAllocation");
  });

  test("400: variants and unit ID type are fixed from the start to a reset", async () => {
    const { id, variants } = await startedAutotune(server, "fixed");
    const others = variants.map((variant) => ({ ...variant, json: { color: "red" } }));
    expect(await refusal(server.client.patchAutotune({ path: { id }, body: { variants: others } }))).toEqual(fixed("variants"));
    expect(await refusal(server.client.patchAutotune({ path: { id }, body: { idType: "stableID" } }))).toEqual(fixed("idType"));
    await server.client.resetAutotune({ path: { id } });
    expect((await server.client.patchAutotune({ path: { id }, body: { variants: others } })).data.variants).toEqual(others);
  });
});

describe("startAutotune, makeAutotuneDecision and resetAutotune", () => {
  test("200: from the start to the decision and back", async () => {
    const { client, clock } = server;
    const { id, salt } = await createAutotune(server, "whole_life");
    expect((await client.startAutotune({ path: { id } })).message).toBe("Autotune Experiment successfully started.");
    const variant = { units: 0, outcomes: 0, mean: null, probabilityOfBest: null };
    const progress = (blue: number) => ({
      checkedTime: null,
      variants: [
        { id: "blue", ...variant, share: blue },
        { id: "green", ...variant, share: 100 - blue },
      ],
    });
    expect(await read(id)).toMatchObject({ isStarted: true, startTime: clock.now, winner: null, progress: progress(50) });
    const decision = { id: "green", decisionReason: "Blue is sold out.", removeTargeting: true };
    expect((await client.makeAutotuneDecision({ path: { id }, body: decision })).message).toBe("Decision made for Autotune Experiment.");
    expect(await read(id)).toMatchObject({
      isStarted: true,
      winner: { id: "green", name: "Green" },
      decisionTime: clock.now,
      decisionReason: "Blue is sold out.",
      progress: progress(0),
    });
    expect((await client.resetAutotune({ path: { id } })).message).toBe("Autotune Experiment successfully restarted.");
    const after = await read(id);
    expect(after).toMatchObject({ isStarted: false, startTime: null, winner: null, decisionTime: null, decisionReason: null });
    expect(after).toMatchObject({ progress: null, version: 4 });
    expect(after.salt).not.toBe(salt);
  });

  test("400: no step twice, and none out of turn", async () => {
    const { client } = server;
    const { id } = await createAutotune(server, "out_of_turn");
    const decide = (variant: string) => client.makeAutotuneDecision({ path: { id }, body: { id: variant, decisionReason: "" } });
    const notStarted = refusedStep("isStarted", "Autotune experiment has not yet started");
    expect(await refusal(decide("green"))).toEqual(notStarted);
    expect(await refusal(client.resetAutotune({ path: { id } }))).toEqual(notStarted);
    await client.startAutotune({ path: { id } });
    expect(await refusal(client.startAutotune({ path: { id } }))).toEqual(
      refusedStep("isStarted", "Autotune experiment has already started"),
    );
    expect(await refusal(decide("red"))).toEqual(invalid(["id", "must be the id of a variant"]));
    await decide("green");
    const finished = refusedStep("winner", "Autotune experiment has already finished");
    expect(await refusal(decide("blue"))).toEqual(finished);
    expect(await refusal(client.startAutotune({ path: { id } }))).toEqual(finished);
  });
});

describe("deleteAutotune and restoreAutotuneVersion", () => {
  test("200: settings come back, and the run goes on", async () => {
    const { client } = server;
    const { id, salt, startTime } = await startedAutotune(server, "turned_back");
    await client.patchAutotune({ path: { id }, body: { winnerThreshold: "99%" } });
    const { data } = await client.restoreAutotuneVersion({ path: { id, version: 1 } });
    expect(data).toMatchObject({ winnerThreshold: "95%", isStarted: true, startTime, salt, version: 4 });
    expect(data.progress?.variants).toHaveLength(2);
    const { data: versions } = await client.listAutotuneVersions({ path: { id } });
    expect(versions.map(({ version, isStarted, progress }) => [version, isStarted, progress])).toEqual([
      [4, true, null],
      [3, true, null],
      [2, true, null],
      [1, false, null],
    ]);
  });

  test("400: while it runs, a version with other variants cannot come back", async () => {
    const { client } = server;
    const { id } = await createAutotune(server, "not_back");
    await client.patchAutotune({ path: { id }, body: { variants: [...SETTINGS.variants, { name: "Red", json: {} }] } });
    await client.startAutotune({ path: { id } });
    expect(await refusal(client.restoreAutotuneVersion({ path: { id, version: 1 } }))).toEqual(fixed("variants"));
  });

  test("200: a deleted autotune exists again, not started", async () => {
    const { client } = server;
    const { id, salt } = await startedAutotune(server, "deleted_and_back");
    expect((await client.deleteAutotune({ path: { id } })).message).toBe("Autotune Experiment deleted successfully.");
    expect((await refusal(client.getAutotune({ path: { id } }))).message).toBe("Autotune deleted_and_back does not exist.");
    const { data } = await client.restoreAutotuneVersion({ path: { id, version: 2 } });
    expect(data).toMatchObject({ isStarted: false, startTime: null, progress: null, version: 4 });
    expect(data.salt).not.toBe(salt);
  });
});

describe("listAutotunes", () => {
  test("200: newest first, with what each has learned, by tag and by word", async () => {
    const { client, clock } = server;
    clock.now += 1;
    await startedAutotune(server, "listed_first", { tags: ["listed"] });
    clock.now += 1;
    await createAutotune(server, "listed_second", { tags: ["listed"], description: "Wording" });
    const { data, pagination } = await client.listAutotunes({ query: { tags: ["listed"] } });
    expect(data.map(({ id, progress }) => [id, progress?.variants.length])).toEqual([
      ["listed_second", undefined],
      ["listed_first", 2],
    ]);
    expect(pagination).toMatchObject({ totalItems: 2, all: "/console/v1/autotunes" });
    expect((await client.listAutotunes({ query: { search: "wording" } })).data.map(({ id }) => id)).toEqual(["listed_second"]);
  });
});
