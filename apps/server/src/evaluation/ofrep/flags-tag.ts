import { namesTagWeakly } from "../../store/entity-tag.ts";
import { checksum } from "../checksum.ts";

/** A strong ETag of whatever decides an answer. */
export function flagsTag(...decisive: string[]): string {
  return `"${checksum(decisive.join("\n"))}"`;
}

/** Whether the If-None-Match header of a request names the tag. */
export function isHeld(header: string | undefined, tag: string): boolean {
  return header !== undefined && namesTagWeakly(header, tag);
}
