import { lock } from "../../store/database/locks.ts";
import type { Db } from "../../store/database/unit-of-work.ts";
import type { SampleProgress } from "./sample-project.ts";

type Row = { projectID: string; endTime: bigint; step: number; readyTime: bigint | null };

/** The lock for creating the sample project: an instance has at most one. */
const CREATION = "the sample project";

/** The progress of the instance's sample project, which is data: no version of the project has it. */
export function createSampleProjectStore(db: Db) {
  return {
    /** @param lock so that no other transaction creates one before this one ends */
    async find({ lock: isLocked = false } = {}): Promise<SampleProgress | undefined> {
      if (isLocked) await lock(db, CREATION);
      return findSample(db);
    },

    /** Notes a new project as the sample project, whose data ends at a time, ms. */
    async add(projectID: string, endTime: number): Promise<SampleProgress> {
      await db.$executeRaw`insert into sample_project ("projectID", "endTime", step) values (${projectID}, ${endTime}, 0)`;
      return { projectID, endTime, step: 0, readyTime: null };
    },
  };
}

/** The sample project. Rows of deleted projects remain until the job has removed them. */
export async function findSample(db: Db): Promise<SampleProgress | undefined> {
  const [row] = await db.$queryRaw<Row[]>`
    select sample_project.* from sample_project join project on project.id = "projectID" where "deletedTime" is null`;
  return row && toProgress(row);
}

/** Locks the sample project for a step until the transaction ends. @returns false if the step is done, or the project was deleted */
export async function lockSampleStep(db: Db, { projectID, step }: SampleProgress): Promise<boolean> {
  const rows = await db.$queryRaw<object[]>`
    select from sample_project join project on project.id = "projectID"
    where "projectID" = ${projectID} and step = ${step} and "readyTime" is null and "deletedTime" is null
    for update of sample_project`;
  return rows.length > 0;
}

/** Notes that the step is done. */
export async function finishSampleStep(db: Db, { projectID, step }: SampleProgress): Promise<void> {
  await db.$executeRaw`update sample_project set step = ${step + 1} where "projectID" = ${projectID}`;
}

/** Notes that all results are computed. */
export async function finishSample(db: Db, { projectID }: SampleProgress, now: number): Promise<void> {
  await db.$executeRaw`update sample_project set "readyTime" = ${now} where "projectID" = ${projectID} and "readyTime" is null`;
}

function toProgress({ endTime, readyTime, ...row }: Row): SampleProgress {
  return { ...row, endTime: Number(endTime), readyTime: readyTime === null ? null : Number(readyTime) };
}
