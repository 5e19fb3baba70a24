import { describe, expect, test } from "vitest";
import { welcome } from "./welcome.ts";

const START = { url: "http://127.0.0.1:4000", publicUrl: undefined, newKey: undefined, givenKey: "absent", adminToken: undefined } as const;

describe("the message after a start", () => {
  test("of a new instance has a link for its administrator, and a key", () => {
    expect(welcome({ ...START, newKey: "console-new", adminToken: "once-new" }).split("\n")).toEqual([
      "",
      "  Gatehouse is ready at http://127.0.0.1:4000",
      "",
      "  This server has no administrator yet. Open this link to become its administrator. It works once, within 72 hours:",
      "",
      "  http://127.0.0.1:4000/welcome#once-new",
      "",
      "  Documentation       http://127.0.0.1:4000/docs",
      "  Console key         console-new   (shown this once: keep it)",
      "",
      '  curl -H "SERVICE-API-KEY: console-new" http://127.0.0.1:4000/console/v1/gates',
      "",
      "",
    ]);
  });

  test("without its secrets names the file or the commands that have them", () => {
    const start = { ...START, newKey: "console-new", adminToken: "once-new" };
    const file = welcome(start, { place: "file", file: "/data/welcome" });
    expect(file.split("\n").slice(2, 7)).toEqual([
      "",
      "  /data/welcome has a console key and the link that makes the first administrator. Keep them, and delete the file.",
      "",
      "  Documentation       http://127.0.0.1:4000/docs",
      "",
    ]);
    const commands = welcome(start, { place: "commands" });
    expect(commands).toContain("  node apps/server/dist/cli/main.js people administrator\n");
    expect(commands).toContain("  node apps/server/dist/cli/main.js keys create\n");
    for (const text of [file, commands]) expect(text).not.toMatch(/console-new|once-new/);
  });

  test.each([
    ["the public URL", "http://0.0.0.0:4000", "https://flags.example.com", "https://flags.example.com"],
    ["localhost, if the server listens on every address", "http://0.0.0.0:4000", undefined, "http://localhost:4000"],
    ["localhost, if it does so by IPv6", "http://[::]:4000", undefined, "http://localhost:4000"],
    ["the address", "http://10.0.0.0:4000", undefined, "http://10.0.0.0:4000"],
  ])("has links that begin with %s", (_what, url, publicUrl, origin) => {
    const text = welcome({ ...START, url, publicUrl, adminToken: "once-new" });
    expect(text).toContain(`Gatehouse is ready at ${url}\n`);
    for (const path of ["/welcome#once-new\n", "/docs\n", "/console/v1/gates\n"]) expect(text).toContain(` ${origin}${path}`);
  });
});
