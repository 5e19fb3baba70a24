import { createHash } from "node:crypto";
import { expect } from "vitest";
import { conflicting, type TestServer } from "./server.ts";

type SegmentType = "id_list" | "rule_based" | "analysis_list" | "user_store_id_list";

let made = 0;

/** Creates a segment with ids. @returns its id */
export async function makeList({ client }: TestServer, ids: string[] = [], type: SegmentType = "id_list"): Promise<string> {
  const { id } = (await client.createSegment({ body: { name: `list ${++made}`, type } })).data;
  const give = type === "id_list" ? client.addSegmentIDs : client.addSegmentUserStoreIDs;
  if (ids.length > 0) await give({ path: { id }, body: { ids } });
  return id;
}

export async function readSegment({ client }: TestServer, id: string) {
  return (await client.getSegment({ path: { id } })).data;
}

/** The first thousand ids. */
export async function readIDs({ client }: TestServer, id: string): Promise<string[]> {
  return (await client.getSegmentIDList({ path: { id }, query: { limit: 1000 } })).data.ids;
}

/** The lines of the file that SDKs download. Each change of the list appends lines. */
export async function readListFile({ database }: TestServer, segmentID: string): Promise<string[]> {
  const changes = await database.prisma.segmentIDChange.findMany({ where: { segmentID }, orderBy: { version: "asc" } });
  let end = 0;
  for (const { start, lines } of changes) {
    expect(Number(start)).toBe(end);
    end += lines.length;
  }
  return changes.flatMap(({ lines }) => lines.split("\n").slice(0, -1)).toSorted();
}

/** A line of the file. */
export function fileLine(sign: "+" | "-", id: string): string {
  return sign + createHash("sha256").update(id).digest("base64").slice(0, 8);
}

export function wrongType(type: SegmentType, purpose = "modified") {
  const message = `Segment must be of type '${type}' to be ${purpose} on this endpoint`;
  return { status: 400, code: "invalid_request", message, errors: [] };
}

export function archived(id: string) {
  return conflicting(`Segment ${id} is archived. Unarchive it first.`, "isEnabled");
}
