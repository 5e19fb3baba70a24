import { createPartitions } from "../../src/evaluation/events/event-partitions.ts";
import type { TestDatabase } from "./database.ts";

/** An event with the day on which it arrives, counted from the epoch. */
export type Arriving = { day: number; id: number; unit: string; name: string; time: number; value: string; metadata?: object };

/** A world that changes between loads, stored as the intake stores it. */
export function worldIn(database: TestDatabase, projectID: string) {
  const partitions = createPartitions(database);
  return {
    async log(events: readonly Arriving[]): Promise<void> {
      for (const day of new Set(events.map((one) => one.day))) await partitions.require(day);
      await database.prisma.event.createMany({
        data: events.map(({ unit, metadata = {}, ...event }) => ({
          ...{ projectID, ...event, source: "test", userID: unit, environment: "production", userFields: "{}" },
          metadata: JSON.stringify(metadata),
        })),
      });
      for (const { name, day, time } of events)
        await database.db.$executeRaw`
          insert into event_count as kept ("projectID", name, day, count, "firstTime", "lastTime") values (${projectID}, ${name}, ${day}, 1, ${time}, ${time})
          on conflict ("projectID", name, day) do update set count = kept.count + 1`;
    },

    /** Notes that a unit saw a group. Of several times, the first one stays. */
    async expose(unit: string, group: string, time: number): Promise<void> {
      await database.db.$executeRaw`
        insert into experiment_exposure as kept ("projectID", "experimentID", "groupID", "unitID", "firstTime", environment, "userFields")
        values (${projectID}, 'e', ${group}, ${unit}, ${time}, 'production', '{}')
        on conflict ("projectID", "experimentID", "groupID", "unitID", environment) do update set "firstTime" = least(kept."firstTime", excluded."firstTime")`;
    },

    /** Deletes the exposures and events of a unit. */
    async forget(unit: string): Promise<void> {
      await database.db.$executeRaw`delete from experiment_exposure where "projectID" = ${projectID} and "unitID" = ${unit}`;
      await database.db.$executeRaw`delete from event where "projectID" = ${projectID} and "userID" = ${unit}`;
      await database.db.$executeRaw`delete from kept_event where "projectID" = ${projectID} and "userID" = ${unit}`;
    },
  };
}
