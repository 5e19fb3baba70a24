import { expect, test } from "vitest";
import { fillIn, snippetsOf } from "./sdk-pages.ts";

const PAGES = import.meta.glob<string>("../../../../docs/connect/*.md", { query: "?raw", import: "default", eager: true });
const LANGUAGES = Object.entries(PAGES)
  .map(([path, text]) => ({ file: path.replace(/^.*\//, ""), text }))
  .filter(({ file }) => !["client.md", "sdks.md"].includes(file));

test.each(LANGUAGES)("$file has code of at least two SDKs that reads the reader's gate from the reader's server", ({ text: markdown }) => {
  const snippets = snippetsOf("gate", "", markdown);
  expect(snippets.length).toBeGreaterThanOrEqual(2);
  for (const { code } of snippets) {
    const text = code.map((part) => fillIn(part.text, { id: "Gate “1”", url: "https://flags.example.com" })).join("\n");
    expect(text).toContain("Gate “1”");
    expect(text).not.toMatch(/new_checkout|127\.0\.0\.1|10\.0\.2\.2/);
  }
});

test("a gate with a quotation mark stays one text of the code", () => {
  expect(fillIn('check("new_checkout")', { id: 'a"b\\c', url: "" })).toBe('check("a\\"b\\\\c")');
});

test.each(LANGUAGES)("$file reads configs, experiments and layers with the methods of its table", ({ file, text: markdown }) => {
  const page = file.replace(".md", "");
  for (const [kind, row] of [
    ["dynamic_config", "Dynamic config"],
    ["experiment", "Experiment"],
    ["layer", "Layer"],
  ] as const) {
    const snippets = snippetsOf(kind, page, markdown);
    expect(snippets.length).toBeGreaterThan(0);
    const cells = new RegExp(`^\\| ${row} .*$`, "m").exec(markdown)?.[0] ?? "";
    const methods = [...cells.matchAll(/`(\w+)/g)].map(([, name = ""]) => name);
    for (const { code } of snippets) {
      const text = code.map((part) => part.text).join("\n");
      expect(methods.some((method) => text.includes(`${method}(`))).toBe(true);
      expect(text).not.toMatch(/check_?gate|boolean|is_?on\b/i);
    }
  }
});

test("an experiment is read as an object in OpenFeature, and under its own name in Statsig’s SDKs", () => {
  const text = (kind: "gate" | "experiment", page: string) =>
    snippetsOf(kind, page, PAGES[`../../../../docs/connect/${page}.md`] ?? "").flatMap(({ code }) => code.map((part) => part.text));
  const [python, java, rust] = ["python", "java", "rust"].map((page) => text("experiment", page).join("\n"));
  expect(python).toContain('value = api.get_client().get_object_value("new_checkout", {}, context)');
  expect(python).toContain('experiment = statsig.get_experiment(user, "new_checkout")');
  expect(java).toContain('var experiment = statsig.getExperiment(user, "new_checkout");');
  expect(rust).toContain('println!("{:?}", statsig.get_experiment(&user, "new_checkout").value);');
});
