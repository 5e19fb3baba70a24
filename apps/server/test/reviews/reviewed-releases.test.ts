import { afterAll, beforeAll, expect, test } from "vitest";
import { EVERYONE, releasing, toNewZealand, toStaff } from "../support/releasing.ts";
import { reviewing, reviewOf } from "../support/reviewing.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await require(["production"]);
});
afterAll(() => server.close());

const { require, exempt, colleague } = reviewing(() => server);
const { pipelines, passing, pass } = releasing(() => server);
const read = async (gateID: string) => (await server.client.listReleases({ query: { gateID } })).data;

test("a change that is released needs its review before the release, though no phase has begun", async () => {
  const releasePipelineID = await pipelines.create(toStaff({ requiredReview: true }), toNewZealand());
  const client = await exempt();
  const { id } = (await client.createGate({ body: { name: "reviewed and released", releasePipelineID } })).data;
  const review = await reviewOf(server.client.patchGate({ path: { id }, body: { rules: [EVERYONE] } }));
  expect(review.requirements).toMatchObject([{ kind: "ENVIRONMENT", name: "production" }]);
  // The release gets its id when it starts.
  expect(review.entities.map(({ entityType, entityID }) => [entityType, entityID])).toEqual([["gate", id]]);
  expect(await read(id)).toEqual([]);

  const reviewer = await colleague();
  await reviewer.client.approveReview({ path: { id: review.id } });
  await server.client.commitReview({ path: { id: review.id } });
  const [release] = await read(id);
  expect(release).toMatchObject({ status: "WAITING_FOR_REVIEW", currentPhaseID: "staff" });

  // Steps of a release that was reviewed need no review, and neither does its end.
  const path = { id: release?.id ?? "" };
  await reviewer.client.approveRelease({ path, body: { phaseID: "staff" } });
  await pass(3_600_000);
  expect(await passing(id)).toEqual(["staff", "nz"]);
  expect((await server.client.abortRelease({ path })).data.status).toBe("ABORTED");
  expect(await passing(id)).toEqual([]);
});
