import { namesTagWeakly } from "../../store/requests/entity-tag.ts";
import { checksum } from "../checksum.ts";

/** A strong ETag, made from everything that determines a response. */
export function flagsTag(...decisive: string[]): string {
  return `"${checksum(decisive.join("\n"))}"`;
}

/** Whether the If-None-Match header of a request matches the tag. */
export function matchesTag(header: string | undefined, tag: string): boolean {
  return header !== undefined && namesTagWeakly(header, tag);
}
