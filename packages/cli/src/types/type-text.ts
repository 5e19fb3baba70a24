/** The text of a TypeScript type. */
export type TypeText = string;

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** A property's name as source text. */
export function propertyName(name: string): string {
  return IDENTIFIER.test(name) ? name : JSON.stringify(name);
}

export type Property = { name: string; type: TypeText; isOptional?: boolean; description?: string | undefined };

/** An object type, with each property in a line. */
export function objectType(properties: readonly Property[], index?: TypeText): TypeText {
  const lines = properties.map(
    ({ name, type, isOptional, description }) => `${comment(description)}${propertyName(name)}${isOptional ? "?" : ""}: ${type};`,
  );
  const all = index === undefined ? lines : [...lines, `[name: string]: ${index};`];
  if (all.length === 0) return "Record<never, never>";
  return `{\n${indent(all.join("\n"))}\n}`;
}

export function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "  ");
}

/** A doc comment before a declaration. Empty without a text. */
export function comment(text: string | undefined): string {
  const plain = (text ?? "").replaceAll("*/", "*\\/").replaceAll(/\s+/g, " ").trim();
  return plain === "" ? "" : `/** ${plain} */\n`;
}

/** A union of types, each once. */
export function union(types: readonly TypeText[]): TypeText {
  const distinct = [...new Set(types)];
  if (distinct.includes("unknown")) return "unknown";
  return distinct.length === 0 ? "never" : distinct.join(" | ");
}

export function arrayOf(type: TypeText): TypeText {
  return /^\w+(\[\])*$/.test(type) ? `${type}[]` : `(${type})[]`;
}
