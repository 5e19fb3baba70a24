// The snippets of the documentation, with the entity and the server of the reader. Pure.

/** A part of a documentation page: the code of one SDK. */
type SDKSnippet = { language: string; sdk: string; code: readonly { kind: string; text: string }[] };

const EXAMPLE_GATE = "new_checkout";
/** The address of the quick start, and the one that Android's emulator has for it. */
const EXAMPLE_URL = /http:\/\/(127\.0\.0\.1|10\.0\.2\.2):4000/g;
/** Headings of parts that are no SDK. */
const OTHER_PARTS = new Set(["Choose one", "Which one to choose"]);

/** The snippets of one page. @param markdown as in `docs/connect` */
function readSnippets(markdown: string): SDKSnippet[] {
  const language = /^title: (.+)$/m.exec(markdown)?.[1] ?? "";
  const [, ...parts] = markdown.split(/^## /m);
  return parts.flatMap((part) => {
    const [sdk = ""] = part.split("\n");
    const code = [...part.matchAll(/^```(\w+)[^\n]*\n(.*?)^```$/gms)].map(([, kind = "", text = ""]) => ({ kind, text: text.trimEnd() }));
    const reads = code.some(({ text }) => text.includes(EXAMPLE_GATE));
    return reads && !OTHER_PARTS.has(sdk) ? [{ language, sdk, code }] : [];
  });
}

/** The kinds of entities that code reads by their ids, each with its row in a page's table of methods. */
const ROWS = { gate: "Gate", dynamic_config: "Dynamic config", experiment: "Experiment", layer: "Layer" } as const;
export type CodeKind = keyof typeof ROWS;
/** The name of the variable that gets what a Statsig SDK returns. */
const VARIABLES: Record<CodeKind, string> = { gate: "isOn", dynamic_config: "config", experiment: "experiment", layer: "layer" };

/** An empty object in the language of a page, as OpenFeature's default. */
const EMPTY_OBJECTS: Record<string, string> = {
  dotnet: "new Value(Structure.Empty)",
  go: "map[string]any{}",
  java: "new dev.openfeature.sdk.Value()",
  kotlin: "Value.Structure(mapOf())",
};

type Methods = { openFeature: string; statsig: string };

/** The methods of a kind, from the table of its page: the first name of each cell. */
function methodsOf(markdown: string, kind: CodeKind): Methods | undefined {
  const row = new RegExp(`^\\| ${ROWS[kind]} *\\|(.*)\\|(.*)\\|$`, "m").exec(markdown);
  const [openFeature, statsig] = [row?.[1], row?.[2]].map((cell) => /`(\w+)/.exec(cell ?? "")?.[1]);
  return openFeature === undefined || statsig === undefined ? undefined : { openFeature, statsig };
}

/**
 * The snippets of one page for a kind of entity. SDKs whose code asks for a truth value in a way of its own are left out for other kinds than gates.
 * @param page the name of its file
 */
export function snippetsOf(kind: CodeKind, page: string, markdown: string): SDKSnippet[] {
  const snippets = readSnippets(markdown);
  const [gate, own] = [methodsOf(markdown, "gate"), methodsOf(markdown, kind)];
  if (kind === "gate" || gate === undefined || own === undefined) return kind === "gate" ? snippets : [];
  const openFeature = new RegExp(`\\b${gate.openFeature}(\\(\\s*(?:flag_key: )?"${EXAMPLE_GATE}", (?:default_value: )?)(?:false|False)\\b`);
  const statsig = new RegExp(`\\b${gate.statsig}\\(`);
  const translate = (text: string): string => {
    if (openFeature.test(text)) {
      const read = text.replace(openFeature, (_, call: string) => `${own.openFeature}${call}${EMPTY_OBJECTS[page] ?? "{}"}`);
      return withVariable(read, "value");
    }
    return withVariable(text.replace(statsig, `${own.statsig}(`), VARIABLES[kind]);
  };
  const reads = (text: string) => openFeature.test(text) || statsig.test(text);
  return snippets.flatMap(({ code, ...snippet }) => {
    if (!code.some(({ text }) => reads(text))) return [];
    const parts = code.filter(({ text }) => reads(text) || !text.includes(EXAMPLE_GATE));
    return [{ ...snippet, code: parts.map(({ kind: language, text }) => ({ kind: language, text: translate(text) })) }];
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
  return text.replaceAll(EXAMPLE_GATE, () => literal).replace(EXAMPLE_URL, () => url);
}
