import type { WritableSchema } from "@gatehouse/contract/console";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refusal, startServer, type TestServer } from "../support/server.ts";

// Names that evaluation, permissions or people compare without case must not differ only in case.

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const METRIC: Omit<WritableSchema<"MetricCreate">, "name"> = { type: "event_count_custom", metricEvents: [{ name: "purchase" }] };

/** Creates an entity with a name, and renames it if its kind allows that. */
const KINDS: { title: string; create: (name: string) => Promise<unknown>; rename?: (from: string, name: string) => Promise<unknown> }[] = [
  { title: "Unit ID type", create: (name) => server.client.createUnitIDType({ body: { name } }) },
  {
    title: "Tag",
    create: (name) => server.client.createTag({ body: { name } }),
    rename: (id, name) => server.client.patchTag({ path: { id }, body: { name } }),
  },
  {
    title: "Target app",
    create: (name) => server.client.createTargetApp({ body: { name } }),
    rename: (id, name) => server.client.patchTargetApp({ path: { id }, body: { name } }),
  },
  {
    title: "Team",
    create: (name) => server.client.createTeam({ body: { name } }),
    rename: (id, name) => server.client.patchTeam({ path: { id }, body: { name } }),
  },
  { title: "Role", create: (name) => server.client.createRole({ body: { name, permissions: {} } }) },
  { title: "Metric", create: (name) => server.client.createMetric({ body: { name, ...METRIC } }) },
];

const taken = { status: 409, code: "conflict" };
const COUNT_AS_SAME = "Names that differ only in upper and lower case count as the same.";

describe("a name that differs only in case from another one", () => {
  test.each(KINDS)("409: is refused for a $title, no matter which one came first", async ({ title, create, rename }) => {
    await create("ownName");
    const refused = await refusal(create("OwnNAME"));
    expect(refused).toMatchObject(taken);
    expect(refused.message).toMatch(new RegExp(`^${title} OwnNAME(::\\w+)? already exists\\. ${COUNT_AS_SAME}$`));
    await expect(create("ownName")).rejects.toMatchObject(taken);
    const all = await Promise.allSettled(["race", "RACE", "Race", "rACE"].map(create));
    expect(all.map(({ status }) => status).filter((status) => status === "fulfilled")).toHaveLength(1);
    if (!rename) return;
    await create("other");
    await expect(rename("other", "OWNNAME")).rejects.toMatchObject(taken);
    await rename("ownName", "OWNname");
  });

  test("400: is refused where a name that is used for the first time would create it", async () => {
    const { client } = server;
    await client.createTag({ body: { name: "checkout" } });
    const refused = (body: object) => refusal(client.createGate({ body: { name: "named", ...body } }));
    const errors = (property: string, id: string, kind: string) => ({
      status: 400,
      errors: [{ property, errorMessage: `is ${id}, which differs only in upper and lower case from another ${kind}` }],
    });
    expect(await refused({ tags: ["checkout", "Checkout"] })).toMatchObject(errors("tags[1]", "Checkout", "tag"));
    expect(await refused({ tags: ["new", "NEW"] })).toMatchObject(errors("tags[0]", "new", "tag"));
    expect(await refused({ idType: "UserID" })).toMatchObject(errors("idType", "UserID", "unit ID type"));
    await client.createTargetApp({ body: { name: "shop" } });
    expect(await refused({ targetApps: ["Shop"] })).toMatchObject(errors("targetApps[0]", "Shop", "target app"));
  });

  test("400: is refused for an environment", async () => {
    const { data } = await server.client.getEnvironments();
    const environments = [
      ...data.environments,
      { name: "Production", isProduction: false, requiresReview: false, requiresReleasePipeline: false },
    ];
    expect(await refusal(server.client.updateEnvironments({ body: { environments } }))).toMatchObject({
      status: 400,
      errors: [
        {
          property: `environments[${environments.length - 1}].name`,
          errorMessage: "must be unique in environments, but Production is given twice, in upper and lower case",
        },
      ],
    });
  });
});
