import type { StoreContext } from "../../store/store-context.ts";
import type { GateChecks } from "./gate-checks.ts";

/** Checks are data, as events are: they are only ever added up. */
export function createGateCheckStore({ db, projectID }: StoreContext) {
  return {
    /** Adds checks to those of gates that exist. */
    async add(checks: GateChecks[]): Promise<void> {
      if (checks.length === 0) return;
      const column = <Name extends keyof GateChecks>(name: Name) => checks.map((one) => one[name]);
      await db.$executeRaw`
        insert into gate_checks as kept ("projectID", "gateID", "hour", "environment", "passes", "fails", "empties")
        select ${projectID}, batch.*
        from unnest(
          ${column("gateID")}::text[], ${column("hour").map(BigInt)}::bigint[], ${column("environment")}::text[],
          ${column("passes").map(BigInt)}::bigint[], ${column("fails").map(BigInt)}::bigint[], ${column("empties").map(BigInt)}::bigint[]
        ) as batch ("gateID", "hour", "environment", "passes", "fails", "empties")
        where exists (select 1 from gate where gate."projectID" = ${projectID} and gate."id" = batch."gateID")
        order by "gateID", "hour", "environment"
        on conflict ("projectID", "gateID", "hour", "environment") do update set
          "passes" = kept."passes" + excluded."passes",
          "fails" = kept."fails" + excluded."fails",
          "empties" = kept."empties" + excluded."empties"`;
    },

    /** With their gate: one that is made again under its id shows nothing of its former life. */
    async delete(gateID: string): Promise<void> {
      await db.$executeRaw`delete from gate_checks where "projectID" = ${projectID} and "gateID" = ${gateID}`;
    },

    /** Whether a gate was checked since a time, ms, in one of the environments. */
    async wasChecked(gateID: string, environments: string[], since: number): Promise<boolean> {
      const rows = await db.$queryRaw<unknown[]>`
        select 1 from gate_checks where "projectID" = ${projectID} and "gateID" = ${gateID} and "hour" >= ${since}
        and "environment" = any(${environments}::text[]) limit 1`;
      return rows.length > 0;
    },
  };
}
