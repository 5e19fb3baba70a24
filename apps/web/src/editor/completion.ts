import type { Completion, CompletionContext, CompletionResult, CompletionSource } from "@codemirror/autocomplete";
import { type CursorPlace, cursorPlace } from "./cursor-place.ts";
import { keyHints, valueHints } from "./schema-hints.ts";
import { schemaValue } from "./schema-text.ts";

const IDENTIFIER = /^[$_a-zA-Z][$_a-zA-Z0-9]*$/;

/** Suggests the keys and values that a schema knows. `getSchema` returns the schema of the moment, as its text or value. */
export function schemaCompletion(getSchema: () => unknown): CompletionSource {
  let known: { schema: unknown; value: unknown } | undefined;
  return (context) => {
    const schema = getSchema();
    if (schema === undefined || schema === null) return null;
    if (known?.schema !== schema) known = { schema, value: schemaValue(schema) };
    const place = cursorPlace(context.state.doc.toString(), context.pos);
    if (place === null || (place.from === place.to && !context.explicit)) return null;
    return place.kind === "key" ? keyResult(known.value, place, context) : valueResult(known.value, place, context);
  };
}

type KeyPlace = Extract<CursorPlace, { kind: "key" }>;
type ValuePlace = Extract<CursorPlace, { kind: "value" }>;

function keyResult(schema: unknown, { from, to, path, keys, areQuoted, hasColon }: KeyPlace, context: CompletionContext): CompletionResult {
  const quote = /^["']/.exec(context.state.sliceDoc(from, to))?.[0] ?? (areQuoted ? '"' : "");
  const options = keyHints(schema, path)
    .filter(({ key }) => !keys.has(key))
    .map(({ key, type, description, isRequired }): Completion => {
      const written = keyText(key, quote);
      return {
        label: written,
        displayLabel: key,
        type: "property",
        detail: [type, isRequired ? "required" : ""].filter(Boolean).join(", "),
        ...(description && { info: description }),
        ...(isRequired && { boost: 1 }),
        apply: hasColon ? written : `${written}: `,
      };
    });
  return { from, to, options, filter: true };
}

function keyText(key: string, quote: string): string {
  if (quote === "'" && !/['\\\n\r]/.test(key)) return `'${key}'`;
  return quote === "" && IDENTIFIER.test(key) ? key : JSON.stringify(key);
}

function valueResult(schema: unknown, { from, to, path }: ValuePlace, context: CompletionContext): CompletionResult {
  const isSingleQuoted = context.state.sliceDoc(from, from + 1) === "'";
  const options = valueHints(schema, path).map(({ text, description }): Completion => {
    const label = isSingleQuoted && /^"[^"'\\]*"$/.test(text) ? `'${text.slice(1, -1)}'` : text;
    return { label, type: "constant", detail: description };
  });
  return { from, to, options, filter: true };
}
