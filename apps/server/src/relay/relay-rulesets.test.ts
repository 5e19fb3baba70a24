import { pino } from "pino";
import { expect, test } from "vitest";
import { createIDLists } from "./id-lists.ts";
import { createRelayRulesets } from "./relay-rulesets.ts";
import { ForbiddenRequest, originAway, type Upstream } from "./upstream.ts";

const NO_SPECS = { feature_gates: [], dynamic_configs: [], layer_configs: [], layers: {}, param_stores: {}, prompt_configs: {} };

/** A relay whose origin has one ID list for each environment, with its name. `named` are those that the origin names. */
function start(named: string[], forbidden = new Set<string>()) {
  const downloaded: string[] = [];
  const post: Upstream["post"] = async (path, body) => {
    if (path === "/v1/get_id_lists") {
      const files = named.map((name) => ({ name, fileID: "1", size: 10, creationTime: 1, url: `http://origin/v1/id_lists/${name}/1` }));
      return JSON.stringify(Object.fromEntries(files.map((file) => [file.name, file])));
    }
    const [name = ""] = (body as { environments: string[] }).environments;
    if (forbidden.has(name)) throw originAway(new ForbiddenRequest("No key has it."));
    downloaded.push(name);
    return JSON.stringify({
      ...NO_SPECS,
      time: 1,
      checksum: name,
      id_lists: named.length === 0 ? {} : { [name]: true },
      default_environment: name,
    });
  };
  const download: Upstream["download"] = async () => Buffer.from("+aaaaaaaa\n");
  const lists = createIDLists({ post, download } as Partial<Upstream> as Upstream);
  const upstream = { post } as Partial<Upstream> as Upstream;
  const rulesets = createRelayRulesets({ upstream, lists, now: () => 1, log: pino({ enabled: false }) });
  const view = (environment: string) => rulesets.view("default", { type: "SERVER", environments: [environment], targetApps: [] });
  const files = async () => (await lists.files(["development", "production"])).map(({ name }) => name);
  return { view, files, downloaded, rulesets };
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

test("a relay keeps the 100 rulesets that were used last, and asks for changes of those only", async () => {
  const { view, downloaded, rulesets } = start([]);
  for (let index = 0; index < 100; index++) await view(`e${index}`);
  await view("e0");
  for (let index = 100; index < 150; index++) await view(`e${index}`);
  expect([downloaded.length, rulesets.state().rulesets, rulesets.stored().length]).toEqual([150, 100, 100]);
  downloaded.length = 0;
  await rulesets.refresh();
  expect(downloaded.toSorted()).toEqual(["e0", ...Array.from({ length: 99 }, (_, index) => `e${index + 51}`)].toSorted());
});

test("a ruleset that the origin forbids is dropped when it changes, and others stay", async () => {
  const forbidden = new Set<string>();
  const { view, rulesets } = start([], forbidden);
  await Promise.all([view("development"), view("production")]);
  forbidden.add("production");
  await rulesets.refresh();
  expect(rulesets.stored().map(({ reach }) => reach.environments)).toEqual([["development"]]);
  await expect(view("production")).rejects.toMatchObject({ code: "unavailable" });
});
