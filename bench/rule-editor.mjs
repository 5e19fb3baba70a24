// The editor of rules in a browser: how long a gate with many rules takes to open, and how long keys take in each of its fields. Each time is
// compared with that of a gate with one rule, in turns. `node ../scripts/with-postgres.mjs node rule-editor.mjs` measures it alone.
import { openConsole, timesOfKeys } from "./console-page.mjs";
import { call, start } from "./servers.mjs";

const RULES = 100;
const CONDITIONS = 10;
const OPENINGS = 5;
const ROUNDS = 3;
const TEXT = "checkout for staff of all stores";
const NUMBERS = ["12.25", "37.5", "81.75", "4.05", "66.66"];
const LIST = "one,two,three,four,five,six,seven".split(",");
/** The time between two keys of a fast typist, ms. */
const KEY_INTERVAL_MS = 80;
const OPENING_TARGET_MS = 1_000;
const KEY_TARGET_MS = 50;
const GATES = { few: "one_rule", many: "many_rules" };

/** The fields of the rule in the middle, each with what is typed into it. They return the number of keys. */
const FIELDS = {
  "the name of a rule": (page) => type(page.getByRole("textbox", { name: "Name", exact: true }), [TEXT]),
  "the percentage": (page) => type(page.getByRole("textbox", { name: "Pass percentage" }), NUMBERS),
  "the value of a condition": (page) => type(page.getByRole("textbox", { name: "Value", exact: true }), [TEXT]),
  "the values of a condition": (page) => typeList(page.getByRole("textbox", { name: "Add values" }).first()),
};

/** @param page with the administrator's session */
export async function measureRuleEditor(print, page) {
  await createGate(GATES.few, 1);
  await createGate(GATES.many, RULES);
  const openings = { few: [], many: [] };
  // The first one of each fills the browser's cache.
  for (let round = 0; round <= OPENINGS; round++) {
    for (const [size, id] of Object.entries(GATES)) {
      const time = await open(page, id);
      if (round > 0) openings[size].push(time);
    }
  }
  const keys = Object.fromEntries(Object.keys(FIELDS).map((field) => [field, { few: [], many: [] }]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [size, id] of Object.entries(GATES)) {
      await open(page, id);
      const rules = await page.getByRole("button", { name: /^Edit Rule / }).count();
      await page.getByRole("button", { name: `Edit Rule ${Math.ceil(rules / 2)}`, exact: true }).click();
      for (const [field, act] of Object.entries(FIELDS)) keys[field][size].push(...(await timesOfKeys(page, () => act(page))));
    }
  }
  const gate = `a gate of ${RULES} rules of ${CONDITIONS} conditions`;
  printRow(print, `opening ${gate}`, openings, 0.5, OPENING_TARGET_MS);
  for (const [field, times] of Object.entries(keys)) printRow(print, `a key in ${field} of it, p95`, times, 0.95, KEY_TARGET_MS);
}

function printRow(print, title, { few, many }, share, target) {
  const [one, all] = [quantile(few, share), quantile(many, share)];
  print(title, `${Math.round(all)} ms, ${(all / one).toFixed(1)} ×`, `≤ ${target} ms; of one rule: ${Math.round(one)} ms`);
}

const quantile = (values, share) => values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];

async function createGate(name, count) {
  const list = (index) => ({ type: "custom_field", field: `field_${index}`, operator: "any", targetValue: ["one", "two", "three"] });
  const text = { type: "custom_field", field: "text", operator: "str_matches", targetValue: "staff" };
  const conditions = [...Array.from({ length: CONDITIONS - 1 }, (_, index) => list(index)), text];
  const rules = Array.from({ length: count }, (_, index) => ({ name: `Rule ${index + 1}`, passPercentage: 50, conditions }));
  await call("POST", "/gates", { name, rules });
}

/** Milliseconds from the request for the page until its rules are shown and it is ready for input. */
async function open(page, id) {
  await page.goto(`/projects/default/gates/${id}`);
  await page.waitForFunction(() => globalThis.readyAt !== undefined);
  return page.evaluate(() => globalThis.readyAt);
}

async function type(field, texts) {
  for (const text of texts) {
    await field.selectText();
    await field.pressSequentially(text, { delay: KEY_INTERVAL_MS });
  }
  return texts.join("").length;
}

async function typeList(field) {
  await field.click();
  for (const value of LIST) {
    await field.pressSequentially(value, { delay: KEY_INTERVAL_MS });
    await field.press("Enter", { delay: KEY_INTERVAL_MS });
  }
  return LIST.join("").length + LIST.length;
}

if (process.argv[1] === import.meta.filename) {
  const server = await start("gatehouse");
  const console = await openConsole();
  if (console === undefined) throw new Error("It needs Chromium.");
  const { page } = console;
  await measureRuleEditor((title, value, target) => process.stdout.write(`${title.padEnd(66)}${value.padStart(16)}   (${target})\n`), page);
  await console.close();
  await server.stop();
}
