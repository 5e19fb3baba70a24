import { describe, expect, test } from "vitest";
import { SDKS } from "./sdks.ts";
import { createSnippet, misfit, requiredKeyType } from "./snippets.ts";

const given = { url: "https://flags.example.com", key: "secret-abc", gate: "new_checkout" };

describe.each(SDKS)("the snippet of %s", (sdk) => {
  test("has the address, the key and the gate filled in", () => {
    const { code } = createSnippet(sdk, given);
    expect(code).toContain("https://flags.example.com");
    expect(code).toContain("secret-abc");
    expect(code).toContain("new_checkout");
  });

  test("installs every package that it imports", () => {
    const { install = "", code } = createSnippet(sdk, given);
    const imported = [...code.matchAll(/ from "([^"]+)"/g)].map(([, name]) => name);
    expect(imported.filter((name) => !install.split(" ").includes(name ?? ""))).toEqual([]);
    expect(imported.length > 0).toBe(sdk !== "curl");
  });
});

test("a hostile name stays a text in a shell and in JavaScript", () => {
  const hostile = { ...given, key: `secret-'; rm -rf "\${HOME}"`, gate: `a"b'c` };
  expect(createSnippet("curl", hostile).code).toContain(`-H 'Authorization: Bearer secret-'\\''; rm -rf "\${HOME}"'`);
  expect(createSnippet("curl", hostile).code).toContain(`/ofrep/v1/evaluate/flags/a%22b'\\''c'`);
  expect(createSnippet("statsig-js-client", hostile).code).toContain(`sdk.checkGate("a\\"b'c")`);
});

test("an SDK of web pages takes a client key alone, since everybody can read it", () => {
  const inPages = SDKS.filter((sdk) => requiredKeyType(sdk) === "CLIENT");
  expect(inPages).toEqual(["openfeature-web", "statsig-js-client"]);
  for (const sdk of inPages) {
    expect(misfit(sdk, "secret-abc")).toBe("This SDK runs where users can see its key, so it needs a client key.");
    expect(misfit(sdk, "console-abc")).toBeDefined();
    expect(misfit(sdk, "client-abc")).toBeUndefined();
  }
});

test("an SDK that downloads the rules takes no client key", () => {
  expect(SDKS.filter((sdk) => misfit(sdk, "client-abc") !== undefined)).toEqual(["statsig-node-core", "statsig-node"]);
  expect(SDKS.filter((sdk) => misfit(sdk, "secret-abc") === undefined)).toEqual([
    "curl",
    "openfeature-server",
    "statsig-node-core",
    "statsig-node",
  ]);
});
