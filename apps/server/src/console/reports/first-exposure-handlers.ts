import type { FirstExposure } from "../../results/reports/first-exposures.ts";
import type { Read } from "../stores.ts";
import type { ExposedGroup, ReportDay, ScannedPlace } from "./report.ts";

/** The first exposures of a day, without those of experiments that were deleted during the read. */
export async function* firstExposures(day: ReportDay, read: Read): AsyncGenerator<FirstExposure[], void, undefined> {
  for await (const group of exposedGroups(read)) {
    const { experimentID, groupID } = group;
    const experiment = await read(({ experiments }) => experiments.find(experimentID));
    if (!experiment) continue;
    const { name, idType, groups } = experiment;
    const known = { experimentID, experimentName: name, idType, groupID, groupName: groups.find(({ id }) => id === groupID)?.name };
    for (let after: ScannedPlace | undefined = { unitID: "", environment: "" }; after !== undefined; ) {
      const last: ScannedPlace = after;
      const scanned = await read(({ reports }) => reports.scanUnits(group, last, day));
      yield scanned.units.map((unit) => ({ ...known, ...unit }));
      after = scanned.last;
    }
  }
}

async function* exposedGroups(read: Read): AsyncGenerator<ExposedGroup, void, undefined> {
  for (let after: ExposedGroup | undefined = { experimentID: "", groupID: "" }; after; ) {
    const last: ExposedGroup = after;
    const groups = await read(({ reports }) => reports.listExposedGroups(last));
    yield* groups;
    after = groups.at(-1);
  }
}
