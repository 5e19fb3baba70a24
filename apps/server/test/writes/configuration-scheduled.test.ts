import type { Schema } from "@gatehouse/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { needs } from "../support/needs.ts";
import { refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const schedule = async (id: string, description: string): Promise<Schema<"ScheduledChange">> => {
  const body = { configuration: { gates: [{ id, name: id, description }] } };
  return (await server.client.schedule.applyProject({ body, query: { applyAt: server.clock.now + 1000 } }))
    .data as Schema<"ScheduledChange">;
};

test("a scheduled application has the ETag of each entity that it was compared with", async () => {
  await server.client.createGate({ body: { name: "compared" } });
  const { headers } = await server.send("GET", "/console/v1/gates/compared");
  const { body } = await schedule("compared", "Later.");
  expect(body).toEqual({
    requests: [{ operationId: "patchGate", path: { id: "compared" }, body: { description: "Later." }, ifMatch: headers.get("etag") }],
  });
  server.clock.now += 1000;
  await server.applyDue();
  expect((await server.client.getGate({ path: { id: "compared" } })).data.description).toBe("Later.");
});

test(
  "an application is not scheduled after someone else changed an entity since it was compared, and names the entity",
  needs.postgres,
  async () => {
    const seen = new Set<string>();
    for (let round = 0; round < 20; round++) {
      const id = `raced_${round}`;
      await server.client.createGate({ body: { name: id } });
      const scheduling = refusal(schedule(id, "Scheduled.")).catch(() => ({ status: 202, message: "" }));
      let isPending = true;
      void scheduling.finally(() => {
        isPending = false;
      });
      for (let edit = 0; isPending; edit++) await server.client.patchGate({ path: { id }, body: { description: `Edit ${edit}.` } });
      const { status, message } = await scheduling;
      seen.add(`${status} ${String(message).replace(id, "")}`);
    }
    expect([...seen].filter((one) => !one.startsWith("202"))).toEqual(["409 The gate  has just changed. Apply the configuration again."]);
  },
);
