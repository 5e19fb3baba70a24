import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { newGate, openGate } from "./support/gates.ts";
import { signedInAs, unique } from "./support/people.ts";
import { serverUrl } from "./support/server.ts";
import { expect, test } from "./support/test.ts";

test.describe("a page of another site", () => {
  let other: Server;
  let body: string;
  const site = () => `http://localhost:${(other.address() as AddressInfo).port}`;

  test.beforeAll(async () => {
    other = createServer((_, response) => void response.setHeader("Content-Type", "text/html").end(body)).listen(0, "localhost");
    await once(other, "listening");
  });
  test.afterAll(() => void other.close());

  test("cannot show the console in a frame", async ({ page, expectFault, allowFault }) => {
    body = `<title>Other site</title><iframe src="${serverUrl()}/projects/default/gates"></iframe>`;
    expectFault(/^elsewhere: http:\/\/localhost/);
    expectFault(/^console error: .*(frame-ancestors|X-Frame-Options)/);
    allowFault(/^failed: GET \/projects\/default\/gates /);
    await page.goto(site(), { waitUntil: "load" });
    expect(page.frames().map((frame) => frame.url())).toEqual([`${site()}/`, "chrome-error://chromewebdata/"]);
  });

  test("can neither sign somebody in nor write with their session", async ({ openBrowser, expectFault, allowFault, newPerson }) => {
    const person = await newPerson("Member");
    const name = unique("forged");
    const forms = {
      session: { path: "/console/v1/session", json: JSON.stringify({ email: person.email, password: person.password, x: "=" }) },
      gates: { path: "/console/v1/gates", json: JSON.stringify({ name, description: "=" }) },
    };
    // A form can send JSON only as text, with an equals sign somewhere.
    const form = ({ path, json }: (typeof forms)["gates"]) => {
      const [start = "", end = ""] = json.split('"="');
      const field = `name='${start}"' value='"${end}'`;
      return `<form method="post" enctype="text/plain" action="${serverUrl()}${path}"><input type="hidden" ${field}><button>Send</button></form>`;
    };
    expectFault(/^elsewhere: http:\/\/localhost/);
    for (const kind of ["session", "gates"] as const) {
      const page = await openBrowser(signedInAs(person));
      body = `<title>Other site</title>${form(forms[kind])}`;
      await page.goto(site());
      expectFault(new RegExp(`^(403|415|401): POST /console/v1/${kind}$`));
      allowFault(/favicon/);
      const answered = page.waitForResponse((response) => response.url().endsWith(forms[kind].path));
      await page.getByRole("button", { name: "Send" }).click();
      expect([401, 403, 415]).toContain((await answered).status());
    }
    await expect(person.api.getGate({ path: { id: name } })).rejects.toMatchObject({ status: 404 });
    expect((await person.api.listSessions()).data).toHaveLength(1);
  });
});

test("a script that gets into the page does not run, and cannot read the session", async ({ api, page, expectFault }) => {
  const gate = await newGate(api);
  await openGate(page, gate.id);
  expectFault(/^console error: .*(Content Security Policy|TrustedScript)/);
  const ran = await page.evaluate(() => {
    const script = document.createElement("script");
    script.append("window.stolen = true");
    document.body.append(script);
    const image = document.createElement("img");
    image.setAttribute("src", "data:,");
    try {
      image.setAttribute("onerror", "window.stolen = true");
    } catch {
      // Trusted Types refuse handlers as text.
    }
    document.body.append(image);
    return new Promise<boolean>((resolve) => setTimeout(() => resolve("stolen" in window)));
  });
  expect(ran).toBe(false);
  expect(await page.evaluate(() => document.cookie)).toBe("");
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain("session");
});
