import { createConsoleClient } from "@gatehouse/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeOtherProject } from "../support/other-project.ts";
import { refusal, startServer, type TestServer } from "../support/server.ts";
import { TEST_SESSION } from "../support/template-database.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await makeOtherProject(server);
});
afterAll(() => server.close());

const retry = { attempts: 1 };

/** A fetch with a browser's additions to a request of a page of the server's origin. */
const asBrowser = (request: Request) => {
  request.headers.set("Cookie", `gatehouse_session=${TEST_SESSION}`);
  request.headers.set("Sec-Fetch-Site", "same-origin");
  return fetch(request);
};

describe("a client with a person's session", () => {
  test("acts for them in their default project, and in the project that it names", async () => {
    const own = createConsoleClient({ baseUrl: server.url, session: TEST_SESSION, retry });
    const { data: gate } = await own.createGate({ body: { name: "made by a person" } });
    expect(gate.creatorEmail).toBe("ada@example.com");
    const other = createConsoleClient({ baseUrl: server.url, session: TEST_SESSION, projectID: "other", retry });
    expect((await refusal(other.getGate({ path: { id: gate.id } }))).status).toBe(404);
    expect((await other.getProject()).data.id).toBe("other");
  });

  test("sends batches, in the project that it names", async () => {
    const other = createConsoleClient({ baseUrl: server.url, session: TEST_SESSION, projectID: "other", retry });
    const { data } = await other.batch({
      requests: [
        { operationId: "createGate", body: { name: "of the other project" } },
        { operationId: "getProject" },
        { operationId: "patchGate", path: { id: "of_the_other_project" }, body: { description: "Better." } },
      ],
    });
    expect([data[0].status, data[1].body.data.id, data[2].body.data.description]).toEqual([201, "other", "Better."]);
    expect((await refusal(server.client.getGate({ path: { id: "of_the_other_project" } }))).status).toBe(404);
  });

  test("needs no session in a page, where the browser sends it", async () => {
    const page = createConsoleClient({ baseUrl: server.url, projectID: "other", fetch: asBrowser, retry });
    expect((await page.getSession()).data.person.email).toBe("ada@example.com");
    expect((await page.getProject()).data.id).toBe("other");
    expect((await page.createTag({ body: { name: "by a page" } })).data.name).toBe("by a page");
  });

  test("is refused without one", async () => {
    const nobody = createConsoleClient({ baseUrl: server.url, projectID: "other", retry });
    expect(await refusal(nobody.getProject())).toMatchObject({ status: 401, code: "unauthorized" });
  });
});
