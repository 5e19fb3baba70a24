import { type Filter, parseFilter, withoutURN } from "./parse-filter.ts";
import { refuse } from "./scim-error.ts";

/** The place that an operation of a PATCH changes. */
export type PatchPath = {
  /** In lower case, without the URN: `name.givenname`. Null for an attribute of another schema. */
  attribute: string | null;
  /** Selects values of a list. Its attributes begin with the attribute of the path. */
  filter?: Filter;
  /** The part of a selected value, in lower case: `value`. */
  part?: string;
};

const PATH = /^([a-z$][\w$-]*(?:\.[a-z$][\w$-]*)?)(?:\[(.*)\](?:\.([a-z$][\w$-]*))?)?$/is;

/** Reads a path such as `emails[type eq "work"].value`. @throws ScimError invalidPath, invalidFilter */
export function parsePath(text: string): PatchPath {
  const own = withoutURN(text.trim());
  if (/^urn:/i.test(own)) return { attribute: null };
  const [whole, name = "", filter, part] = PATH.exec(own) ?? [];
  if (whole === undefined) throw refuse("invalidPath", `The path ${text.slice(0, 200)} is invalid.`);
  const attribute = name.toLowerCase();
  return {
    attribute,
    ...(filter !== undefined && { filter: parseFilter(filter, attribute) }),
    ...(part !== undefined && { part: part.toLowerCase() }),
  };
}
