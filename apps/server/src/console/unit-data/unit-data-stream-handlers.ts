import { randomUUID } from "node:crypto";
import type { Context } from "../../common/context.ts";
import type { Unit } from "../../results/sql/unit-events.ts";
import type { Read } from "../stores.ts";
import type { EntityPosition, ExposureTable, ReadPosition, StoredEvent, UnitRequest } from "./unit-data.ts";

type UnitDataRequest = { body: UnitRequest; context: Pick<Context, "projectID" | "now">; read: Read };
type Line = { type: string };

/** The data of a unit as a file of JSON lines that is made while it is read. @throws AppError invalid_request */
export async function streamUnitData({ body, context, read }: UnitDataRequest) {
  const unit = await read(({ unitData }) => unitData.requireUnit(body));
  const receipt = randomUUID();
  return {
    name: `unit-data-${receipt}.jsonl`,
    mediaType: "application/x-ndjson; charset=utf-8",
    parts: writeLines(unit, { receipt, context, read }),
    note: () => read(({ unitData }) => unitData.note("export", receipt, { unitType: unit.unitType })),
  };
}

type Writing = Omit<UnitDataRequest, "body"> & { receipt: string };

async function* writeLines(unit: Unit, { receipt, context, read }: Writing): AsyncGenerator<Uint8Array, void, undefined> {
  const counts: Record<string, number> = {};
  const { projectID, now } = context;
  const head = { type: "unit", ...unit, projectID, time: now, receipt };
  let isBegun = false;
  for await (const lines of readLines(unit, read)) {
    // The first line waits for the first data, so that an unavailable database gets its own error.
    yield toBytes(isBegun ? lines : [head, ...lines]);
    isBegun = true;
    for (const { type } of lines) counts[type] = (counts[type] ?? 0) + 1;
  }
  yield toBytes([{ type: "end", counts }]);
}

const toBytes = (lines: object[]) => Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));

async function* readLines(unit: Unit, read: Read): AsyncGenerator<Line[], void, undefined> {
  yield* readAll(async (after: ReadPosition | undefined) => {
    const { events, next } = await read(({ unitData }) => unitData.readEvents(unit, after));
    return { lines: events.map(toEventLine), next };
  });
  for (const table of ["experiment_exposure", "check_exposure"] as const) yield* readAll(readExposures(table));
  yield* readAll(async (after: string | undefined) => {
    const ids = await read(({ unitData }) => unitData.listSegments(unit, after ?? ""));
    return { lines: ids.map((segmentID) => ({ type: "segment_id", segmentID })), next: ids.at(-1) };
  });
  yield* readAll(async (after: EntityPosition | undefined) => {
    const { places, next } = await read(({ unitData }) => unitData.readPlaces(unit.id, after));
    return { lines: places.map((place) => ({ type: "configuration", ...place })), next };
  });

  function readExposures(table: ExposureTable) {
    return async (after: string | undefined) => {
      const { exposures, next } = await read(({ unitData }) => unitData.readExposures(table, unit, after));
      const lines = exposures.map(({ firstTime, userFields, ...exposure }) => ({
        ...{ type: table, ...exposure, firstTime: Number(firstTime), user: parse(userFields) },
      }));
      return { lines, next };
    };
  }
}

/** The lines of all pages, one page at a time. */
async function* readAll<Position>(
  readPage: (after: Position | undefined) => Promise<{ lines: Line[]; next: Position | undefined }>,
): AsyncGenerator<Line[], void, undefined> {
  let after: Position | undefined;
  do {
    const { lines, next } = await readPage(after);
    yield lines;
    after = next;
  } while (after !== undefined);
}

function toEventLine(event: StoredEvent): Line {
  const { name, time, source, userID, value, environment, exposed, ruleID } = event;
  return {
    type: "event",
    ...{ name, time: Number(time), userID, customIDs: parse(event.customIDs), value, environment, source, exposed, ruleID },
    ...{ user: parse(event.userFields), metadata: parse(event.metadata), secondaryExposures: parse(event.secondaryExposures) },
  } as Line;
}

const parse = (text: string | null): unknown => (text === null ? null : JSON.parse(text));
