import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const MAX_ATTRIBUTES = 1_000;
const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, "v"]));
const tooMany = { errorMessage: `must NOT have more than ${MAX_ATTRIBUTES} properties` };

describe("the attributes of a user", () => {
  const calls: [path: string, question: object][] = [
    ["/v1/initialize", {}],
    ["/v1/check_gate", { gateName: "absent" }],
    ["/v1/get_config", { configName: "absent" }],
  ];

  test.each(calls)("are accepted by %s up to its limit, and rejected with their place beyond it", async (path, question) => {
    for (const field of ["customIDs", "custom", "privateAttributes"]) {
      const send = (count: number) =>
        server.send("POST", path, { body: { ...question, user: { userID: "alice", [field]: names(count) } } });
      expect((await send(MAX_ATTRIBUTES)).status).toBe(200);
      const { status, body } = await send(60_000);
      expect({ status, errors: body.errors }).toEqual({ status: 400, errors: [{ property: `user.${field}`, ...tooMany }] });
    }
  });

  test("are limited in OFREP's context too, at the top level and in nested maps", async () => {
    const send = (context: object) =>
      server.send("POST", "/ofrep/v1/evaluate/flags", { body: { context: { targetingKey: "alice", ...context } } });
    expect((await send(names(MAX_ATTRIBUTES - 1))).status).toBe(200);
    const { status, body } = await send(names(60_000));
    const refused = (place: string) => ({ errorCode: "INVALID_CONTEXT", errorDetails: `${place} ${tooMany.errorMessage}.` });
    expect({ status, ...body }).toEqual({ status: 400, ...refused("context") });
    for (const field of ["customIDs", "custom", "privateAttributes"]) {
      expect((await send({ [field]: names(MAX_ATTRIBUTES) })).status).toBe(200);
      expect((await send({ [field]: names(MAX_ATTRIBUTES + 1) })).body).toEqual(refused(`context.${field}`));
    }
  });
});
