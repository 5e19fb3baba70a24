import type { OperationDescription } from "@gatehouse/contract";
import type { Document } from "../common/document.ts";
import { knownNames } from "../common/known-names.ts";

/** The body with the contract's spelling of names, since SCIM's names are not case-sensitive. Other names stay as they are. */
export function withCanonicalNames(document: Document, operation: OperationDescription, body: unknown): unknown {
  const known = new Map<string, Map<string, string>>();
  return rename(body, []);

  function rename(value: unknown, steps: string[]): unknown {
    const names = namesAt(steps);
    if (Array.isArray(value)) return value.map((item) => rename(item, [...steps, "0"]));
    if (typeof value !== "object" || value === null || names.size === 0) return value;
    const entries = Object.entries(value).map(([name, part]) => [names.get(name.toLowerCase()) ?? name, part] as const);
    return Object.fromEntries(entries.map(([name, part]) => [name, isKnown(name, names) ? rename(part, [...steps, name]) : part]));
  }

  /** The known names at a place, by their lower case. All items of a list have the same names. */
  function namesAt(steps: string[]): Map<string, string> {
    const place = steps.join("/");
    const found =
      known.get(place) ?? new Map(knownNames(document, operation, ["body", ...steps]).map((name) => [name.toLowerCase(), name]));
    known.set(place, found);
    return found;
  }
}

function isKnown(name: string, names: Map<string, string>): boolean {
  return names.get(name.toLowerCase()) === name;
}
