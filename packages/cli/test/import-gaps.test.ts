import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createWorkspace } from "./servers.ts";

const { folder, gatehouse, remove } = createWorkspace();
afterAll(remove);

/** The notes of an import, without the summary at their end. */
const notesOf = ({ stdout, stderr }: { stdout: string; stderr: string }) =>
  `${stderr}${stdout}`.split("\n").filter((line) => line.startsWith("! "));

describe("an import reports by name", () => {
  test("each segment of LaunchDarkly that rules match, with the flags that need it", async () => {
    const rule = (...values: string[]) => ({ clauses: [{ attribute: "", op: "segmentMatch", values }], variation: 0 });
    const flag = (key: string, rules: object[]) => ({
      ...{ key, kind: "boolean", variations: [{ value: true }, { value: false }] },
      environments: { production: { on: true, offVariation: 1, rules, fallthrough: { variation: 1 } } },
    });
    const items = [flag("checkout", [rule("beta"), rule("staff", "beta")]), flag("search", [rule("beta")])];
    writeFileSync(join(folder, "flags.json"), JSON.stringify({ items }));
    const notes = notesOf(await gatehouse(["import", "launchdarkly", "flags.json", "--out", "launchdarkly"]));
    const missing = "is a segment that was not imported, because flags have only its key. Create it before you apply the files. Used by:";
    expect(notes).toEqual([
      '! checkout has a rule in production that was left out: "segmentMatch" cannot be expressed exactly.',
      `! beta ${missing} checkout, search.`,
      `! staff ${missing} checkout.`,
    ]);
  });

  test("overrides of Flagsmith that were not read: after 1,000 pages, and if the server repeats one", async () => {
    let count = 0;
    const answer = (next: string) => ({ headers: { Link: `</api/v1/environment-document/?page_id=${next}>; rel="next"` } });
    let toNext = () => `page${++count}`;
    const system = createServer((_, response) => {
      const body = { feature_states: [{ enabled: true, feature: { name: "search" } }], identity_overrides: [{ identity_features: [] }] };
      response.writeHead(200, { "Content-Type": "application/json", ...answer(toNext()).headers }).end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => system.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(system.address() as AddressInfo).port}`;
    const read = async () =>
      notesOf(await gatehouse(["import", "flagsmith", "--from-url", url, "--out", "flagsmith"], { FLAGSMITH_TOKEN: "ser.token" }));
    expect(await read()).toEqual(["! identity overrides are incomplete: 1001 were read, because there are more than 1000 further pages."]);
    expect(count).toBe(1001);
    toNext = () => "same";
    expect(await read()).toEqual(["! identity overrides are incomplete: 2 were read, because the server sent the same page again."]);
    system.close();
  });
});
