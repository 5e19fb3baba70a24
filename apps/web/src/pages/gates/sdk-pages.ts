// The snippets of the documentation, with the gate and the server of the reader. Pure.

/** A part of a documentation page: the code of one SDK. */
export type SDKSnippet = { language: string; sdk: string; code: readonly { kind: string; text: string }[] };

const EXAMPLE_GATE = "new_checkout";
/** The address of the quick start, and the one that Android's emulator has for it. */
const EXAMPLE_URL = /http:\/\/(127\.0\.0\.1|10\.0\.2\.2):4000/g;
/** Headings of parts that are no SDK. */
const OTHER_PARTS = new Set(["Choose one", "Which one to choose"]);

/** The snippets of one page. @param markdown as in `docs/connect` */
export function readSnippets(markdown: string): SDKSnippet[] {
  const language = /^title: (.+)$/m.exec(markdown)?.[1] ?? "";
  const [, ...parts] = markdown.split(/^## /m);
  return parts.flatMap((part) => {
    const [sdk = ""] = part.split("\n");
    const code = [...part.matchAll(/^```(\w+)[^\n]*\n(.*?)^```$/gms)].map(([, kind = "", text = ""]) => ({ kind, text: text.trimEnd() }));
    const reads = code.some(({ text }) => text.includes(EXAMPLE_GATE));
    return reads && !OTHER_PARTS.has(sdk) ? [{ language, sdk, code }] : [];
  });
}

/** @param url the server's address, without a slash at its end */
export function fillIn(text: string, { gate, url }: { gate: string; url: string }): string {
  // The text of a JavaScript string is one in each of these languages.
  const literal = JSON.stringify(gate).slice(1, -1);
  return text.replaceAll(EXAMPLE_GATE, () => literal).replace(EXAMPLE_URL, () => url);
}
