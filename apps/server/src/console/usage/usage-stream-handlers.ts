import type { OperationRequest } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { createCsv } from "../../results/reports/csv.ts";
import type { Read } from "../stores.ts";
import { type Usage, type UsageDay, usageColumns, usageDays } from "./usage.ts";

type UsageRequest = { query: OperationRequest<operations["downloadUsage"]>["query"]; read: Read };

/** Days that one transaction reads. */
const PART_SIZE = 50;

/** The usage of a project as a file. @throws AppError invalid_request if the range is empty, too long, or begins before the project */
export async function streamUsage({ query, read }: UsageRequest) {
  const days = await read(async ({ usage, settings }) => usageDays(query, await usage.createdTime(), await settings.timeZone()));
  const name = `usage-${days[0]?.date}-${days.at(-1)?.date}.csv`;
  return { name, mediaType: "text/csv; charset=utf-8; header=present", parts: streamParts(days, read) };
}

async function* streamParts(days: readonly UsageDay[], read: Read): AsyncGenerator<Uint8Array, void, undefined> {
  const file = createCsv<Usage>(usageColumns);
  for (let from = 0; from < days.length; from += PART_SIZE) {
    const rows = await read(({ usage }) => usage.list(days.slice(from, from + PART_SIZE)));
    // Begins after the first read, so that an unavailable database gets its own error.
    if (from === 0) yield file.begin();
    yield file.add(rows);
  }
}
