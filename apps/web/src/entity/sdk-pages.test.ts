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

test("code of the page JavaScript has nothing that only TypeScript knows", () => {
  const text = snippetsOf("gate", "", PAGES["../../../../docs/connect/javascript.md"] ?? "")
    .flatMap(({ code }) => code.filter(({ kind }) => kind === "ts"))
    .map((part) => part.text)
    .join("\n");
  expect(text).toContain("new OFREPProvider(");
  expect(text).not.toMatch(/_KEY!|\) as |const \w+: |\w\??: (string|number|boolean)\b/);
});

test("a gate with a quotation mark stays one text of the code", () => {
  expect(fillIn('check("new_checkout")', { id: 'a"b\\c', url: "" })).toBe('check("a\\"b\\\\c")');
});

test.each(LANGUAGES)(
  "$file reads configs, experiments, layers, and autotunes with the methods of its table",
  ({ file, text: markdown }) => {
    const page = file.replace(".md", "");
    for (const [kind, row] of [
      ["dynamic_config", "Dynamic config"],
      ["experiment", "Experiment"],
      ["layer", "Layer"],
      ["autotune", "Autotune"],
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
  },
);

test("an experiment is read as an object in OpenFeature, and under its own name in Statsig’s SDKs", () => {
  const text = (kind: "gate" | "experiment", page: string) =>
    snippetsOf(kind, page, PAGES[`../../../../docs/connect/${page}.md`] ?? "").flatMap(({ code }) => code.map((part) => part.text));
  const [python, java, rust] = ["python", "java", "rust"].map((page) => text("experiment", page).join("\n"));
  expect(python).toContain('value = api.get_client().get_object_value("new_checkout", {}, context)');
  expect(python).toContain('experiment = statsig.get_experiment(user, "new_checkout")');
  expect(java).toContain('var experiment = statsig.getExperiment(user, "new_checkout");');
  expect(rust).toContain('println!("{:?}", statsig.get_experiment(&user, "new_checkout").value);');
});

const namesOf = (kind: "param_store" | "prompt" | "gate") =>
  Object.entries(PAGES)
    .map(([path, text]) => [path.replace(/^.*\/(.*)\.md$/, "$1"), snippetsOf(kind, path.replace(/^.*\/(.*)\.md$/, "$1"), text)] as const)
    .flatMap(([page, snippets]) => (snippets.length > 0 ? [{ page, sdks: snippets.map(({ sdk }) => sdk), snippets }] : []));

test("param stores are read in the SDKs that have a method for them", () => {
  const pages = namesOf("param_store");
  expect(Object.fromEntries(pages.map(({ page, sdks }) => [page, sdks]))).toEqual({
    dotnet: ["OpenFeature", "Statsig"],
    go: ["OpenFeature", "Statsig"],
    java: ["OpenFeature", "Statsig"],
    javascript: ["Node with OpenFeature", "Node with Statsig", "Browser with OpenFeature", "Browser with Statsig"],
    kotlin: ["OpenFeature", "Statsig"],
    python: ["OpenFeature", "Statsig"],
    ruby: ["OpenFeature"],
    rust: ["Statsig"],
    swift: ["Statsig"],
  });
  const texts = pages.flatMap(({ snippets }) => snippets.flatMap(({ code }) => code.map(({ text }) => text)));
  const all = texts.join("\n");
  expect(all).toContain('let store = statsig.get_parameter_store_for_user(&user, "new_checkout");');
  expect(all).toContain('store = statsig.get_parameter_store(user, "new_checkout")');
  expect(all).not.toMatch(/check_?gate|boolean|is_?on\b|"statsig-node"/i);
});

test("prompts are read with Statsig’s SDKs for AI", () => {
  const pages = namesOf("prompt");
  expect(pages.map(({ page, sdks }) => [page, sdks])).toEqual([
    ["javascript", ["Prompts"]],
    ["python", ["Prompts"]],
  ]);
  const texts = pages.flatMap(({ snippets }) =>
    snippets.map(({ code }) => code.map(({ text }) => fillIn(text, { id: "greet", url: "https://f.example" }))),
  );
  expect(texts.map((parts) => parts.join("\n"))).toEqual([
    expect.stringContaining('getPrompt(new StatsigUser({ userID: "alice" }), "greet")'),
    expect.stringContaining('get_prompt(StatsigUser(user_id="alice"), "greet")'),
  ]);
});

test("only pages of languages are listed", () => {
  expect(namesOf("gate").map(({ page }) => page)).toEqual(LANGUAGES.map(({ file }) => file.replace(".md", "")));
});
