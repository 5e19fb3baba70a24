import { hash } from "node:crypto";
import { namesTagWeakly } from "../../store/entity-tag.ts";

/** A strong ETag of whatever decides an answer. */
export function flagsTag(...decisive: string[]): string {
  return `"${hash("sha256", decisive.join("\n"), "base64url").slice(0, 22)}"`;
}

/** Whether the If-None-Match header of a request names the tag. */
export function isHeld(header: string | undefined, tag: string): boolean {
  return header !== undefined && namesTagWeakly(header, tag);
}
