import { pino } from "pino";
import { expect, test } from "vitest";
import { createIDLists } from "./id-lists.ts";
import { createRelayRulesets } from "./relay-rulesets.ts";
import type { Upstream } from "./upstream.ts";

const NO_SPECS = { feature_gates: [], dynamic_configs: [], layer_configs: [], layers: {}, param_stores: {}, prompt_configs: {} };

/** A relay whose origin has one ID list for each environment, with its name. `named` are those that the origin names. */
function start(named: string[]) {
  const post: Upstream["post"] = async (path, body) => {
    if (path === "/v1/get_id_lists") {
      const files = named.map((name) => ({ name, fileID: "1", size: 10, creationTime: 1, url: `http://origin/v1/id_lists/${name}/1` }));
      return JSON.stringify(Object.fromEntries(files.map((file) => [file.name, file])));
    }
    const [name] = (body as { environments: string[] }).environments;
    return JSON.stringify({ ...NO_SPECS, time: 1, checksum: name, id_lists: { [`${name}`]: true }, default_environment: name });
  };
  const download: Upstream["download"] = async () => Buffer.from("+aaaaaaaa\n");
  const lists = createIDLists({ post, download } as Partial<Upstream> as Upstream);
  const upstream = { post } as Partial<Upstream> as Upstream;
  const rulesets = createRelayRulesets({ upstream, lists, now: () => 1, log: pino({ enabled: false }) });
  const view = (environment: string) => rulesets.view("default", { type: "SERVER", environments: [environment], targetApps: [] });
  const files = async () => (await lists.files(["development", "production"])).map(({ name }) => name);
  return { view, files };
}

test("rulesets that are received at once keep the ID lists of each other", async () => {
  const { view, files } = start(["development", "production"]);
  await Promise.all([view("development"), view("production")]);
  expect(await files()).toEqual(["development", "production"]);
});

test("a ruleset whose ID list the origin does not name yet is requested again", async () => {
  const named = ["development"];
  const { view, files } = start(named);
  await view("development");
  await expect(view("production")).rejects.toMatchObject({ code: "unavailable" });
  named.splice(0, 1, "production");
  expect((await view("production")).ruleset.idLists).toEqual(["production"]);
  expect((await files()).toSorted()).toEqual(["development", "production"]);
});
