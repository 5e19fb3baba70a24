// The cost of reviews for writes that need no review, in turns with a key that is exempt from reviews.
import { call, KEY, root } from "./servers.mjs";

const ROUNDS = 200;
const EXEMPT = ["omni_read_write", "bypass_reviews"];

/** Changes the first gates, which must exist. Leaves the project without reviews. */
export async function measureReviews(print, gates) {
  const exempt = (await call("POST", "/keys", { type: "CONSOLE", description: "A benchmark.", scopes: EXEMPT })).data.key;
  const describe = (key, turn) => send(key, `/gates/gate_${turn}`, { description: `Turn ${turn}.` });
  const rules = (key, turn) => send(key, `/gates/gate_${turn}?dryRun=true`, { rules: [rule("staging", turn % 100)] });
  // Each turn writes other rules than the one before.
  const publish = (key, turn) => send(key, `/gates/gate_${turn}`, { rules: [rule("staging", (turn * 2 + (key === KEY ? 1 : 0)) % 100)] });
  const unset = await compare(exempt, publish);
  print("rate of writes of rules in a project without reviews, to those of an exempt key", unset.ratio.toFixed(2), "≥ 0.95");
  await setReviews(exempt, true);
  const set = await compare(exempt, rules);
  const title = `deciding that a write of rules needs no review, ${gates.toLocaleString("en")} gates`;
  print(title, `${(set.own - set.reference).toFixed(1)} ms`, "≤ 2.0 ms");
  const labels = await compare(exempt, describe);
  print("rate of descriptions in a project with reviews, to those of an exempt key", labels.ratio.toFixed(2), "≥ 0.95");
  await setReviews(exempt, false);
}

/** The median times of the console key and of an exempt key, ms, in turns. */
async function compare(exempt, write) {
  const times = { own: [], reference: [] };
  for (let turn = 0; turn < ROUNDS; turn++) {
    for (const [name, key] of [
      ["reference", exempt],
      ["own", KEY],
    ]) {
      const begin = performance.now();
      await write(key, turn);
      times[name].push(performance.now() - begin);
    }
  }
  const [own, reference] = [times.own, times.reference].map((list) => list.toSorted((a, b) => a - b)[ROUNDS / 2]);
  return { own, reference, ratio: reference / own };
}

function rule(environment, passPercentage) {
  return { name: "Some", passPercentage, environments: [environment], conditions: [] };
}

async function setReviews(key, requiresReview) {
  const { environments } = (await send(key, "/environments", undefined, "GET")).data;
  const changed = environments.map((one) => ({ ...one, requiresReview: requiresReview && one.name === "production" }));
  await send(key, "/environments", { environments: changed }, "POST");
}

async function send(key, path, body, method = "PATCH") {
  const headers = { "SERVICE-API-KEY": key, "Content-Type": "application/json" };
  const response = await fetch(`${root}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const answer = await response.json();
  if (response.status >= 300 || response.status === 202) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}
