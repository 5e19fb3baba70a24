// The snippets of the documentation, with the entity and the server of the reader. Pure.

/** A part of a documentation page: the code of one SDK. */
type SDKSnippet = { language: string; sdk: string; code: readonly { kind: string; text: string }[] };

const EXAMPLE_GATE = "new_checkout";
const EXAMPLE_PROMPT = "order_summary";
/** The address of the quick start, and the one that Android's emulator has for it. */
const EXAMPLE_URL = /http:\/\/(127\.0\.0\.1|10\.0\.2\.2):4000/g;
/** Titles of pages, and headings of their parts, that are not about one language or SDK. */
const OTHER_PARTS = new Set(["Choose one", "Which one to choose", "SDKs"]);

/** The snippets of one page that read the example. @param markdown as in `docs/connect` */
function readSnippets(markdown: string, example: string): SDKSnippet[] {
  const language = /^title: (.+)$/m.exec(markdown)?.[1] ?? "";
  const [, ...parts] = markdown.split(/^## /m);
  return parts.flatMap((part) => {
    const [sdk = ""] = part.split("\n");
    const code = [...part.matchAll(/^```(\w+)[^\n]*\n(.*?)^```$/gms)].map(([, kind = "", text = ""]) => ({ kind, text: text.trimEnd() }));
    const reads = code.some(({ text }) => text.includes(example));
    return reads && !OTHER_PARTS.has(language) && !OTHER_PARTS.has(sdk) ? [{ language, sdk, code }] : [];
  });
}

/** The kinds of entities that SDKs read with one method each, with their rows in a page's table of methods. */
const ROWS = {
  gate: "Gate",
  dynamic_config: "Dynamic config",
  experiment: "Experiment",
  layer: "Layer",
  autotune: "Autotune",
  param_store: "Param store",
} as const;
type MethodKind = keyof typeof ROWS;
/** The kinds of entities that code reads by their IDs. Prompts have code of their own on the pages. */
export type CodeKind = MethodKind | "prompt";
/** The name of the variable that gets what a Statsig SDK returns. */
const VARIABLES: Record<MethodKind, string> = {
  gate: "isOn",
  dynamic_config: "config",
  experiment: "experiment",
  layer: "layer",
  autotune: "autotune",
  param_store: "store",
};

/** An empty object in the language of a page, as OpenFeature's default. */
const EMPTY_OBJECTS: Record<string, string> = {
  dotnet: "new Value(Structure.Empty)",
  go: "map[string]any{}",
  java: "new dev.openfeature.sdk.Value()",
  kotlin: "Value.Structure(mapOf())",
};

/** The methods of a kind. One is missing if the SDK has none. */
type Methods = { openFeature: string | undefined; statsig: string | undefined; packagesWithout: readonly string[] };

/** The methods of a kind, from the table of its page: the first name of each cell. Packages after "not in" lack the method. */
function methodsOf(markdown: string, kind: MethodKind): Methods {
  const [, openFeature = "", statsig = ""] = new RegExp(`^\\| ${ROWS[kind]} *\\|(.*)\\|(.*)\\|$`, "m").exec(markdown) ?? [];
  const [method = "", without = ""] = statsig.split(", not in ");
  const nameIn = (cell: string) => /`(\w+)/.exec(cell)?.[1];
  const packagesWithout = [...without.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
  return { openFeature: nameIn(openFeature), statsig: nameIn(method), packagesWithout };
}

/**
 * The snippets of one page for a kind of entity. SDKs without a method for the kind are left out. SDKs with special code for gates are left out for other kinds.
 * @param page the name of its file
 */
export function snippetsOf(kind: CodeKind, page: string, markdown: string): SDKSnippet[] {
  if (kind === "prompt") return readSnippets(markdown, EXAMPLE_PROMPT);
  const snippets = readSnippets(markdown, EXAMPLE_GATE);
  if (kind === "gate") return snippets;
  const [gate, own] = [methodsOf(markdown, "gate"), methodsOf(markdown, kind)];
  const openFeature = new RegExp(
    `\\b${gate.openFeature}(\\(\\s*(?:context\\.Background\\(\\), |flag_key: )?"${EXAMPLE_GATE}", (?:default_value: )?)(?:false|False)\\b`,
  );
  const statsig = new RegExp(`\\b${gate.statsig}\\(`);
  const translate = (text: string): string | undefined => {
    if (own.openFeature !== undefined && openFeature.test(text)) {
      const read = text.replace(openFeature, (_, call: string) => `${own.openFeature}${call}${EMPTY_OBJECTS[page] ?? "{}"}`);
      return withVariable(read, "value");
    }
    if (own.statsig === undefined || !statsig.test(text) || own.packagesWithout.some((name) => text.includes(`"${name}"`))) return;
    const read = text.replace(statsig, `${own.statsig}(`);
    // Rust can't print a param store.
    return withVariable(
      kind === "param_store" ? read.replace(/println!\("\{\}", (statsig\..*)\);/, "let store = $1;") : read,
      VARIABLES[kind],
    );
  };
  return snippets.flatMap(({ code, ...snippet }) => {
    const parts = code.flatMap((part) => {
      if (!part.text.includes(EXAMPLE_GATE)) return [part];
      const text = translate(part.text);
      return text === undefined ? [] : [{ ...part, text }];
    });
    return parts.some(({ text }) => text.includes(EXAMPLE_GATE)) ? [{ ...snippet, code: parts }] : [];
  });
}

/** Names what is read after what it is. Rust prints the values of what it returns. */
const withVariable = (text: string, name: string): string =>
  text
    .replaceAll(/\bboolean isOn\b/g, `var ${name}`)
    .replaceAll(/\b(isOn|is_on)\b/g, name)
    .replaceAll(/println!\("\{\}", (statsig\.\w+\(.*?\))\);/g, 'println!("{:?}", $1.value);');

/** @param url the server's address, without a slash at its end */
export function fillIn(text: string, { id, url }: { id: string; url: string }): string {
  // The text of a JavaScript string is one in each of these languages.
  const literal = JSON.stringify(id).slice(1, -1);
  return text.replaceAll(new RegExp(`${EXAMPLE_GATE}|${EXAMPLE_PROMPT}`, "g"), () => literal).replace(EXAMPLE_URL, () => url);
}
