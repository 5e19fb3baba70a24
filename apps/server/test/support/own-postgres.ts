import { chownSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import { startProxy } from "../../../../scripts/database-proxy.mjs";
import { findBinaries, startPostgres, startStandby } from "../../../../scripts/postgres.mjs";
import { PrismaClient } from "../../src/generated/prisma/client.ts";
import { bootstrap } from "../../src/startup/bootstrap.ts";
import { openPostgres } from "../../src/store/database/database.ts";
import { migrate } from "../../src/store/database/migrate.ts";
import { withReadReplica } from "../../src/store/database/read-replica.ts";
import { asAdmin } from "./database.ts";
import { startOver, type TestServer } from "./server.ts";
import { databaseUrl, PROJECT_MADE, TEST_KEY } from "./template-database.ts";

/** Whether Postgres is installed on this machine, so that a test can start, stop and break one. */
export const hasPostgres = findBinaries() !== undefined;

/** `volume` is a separate folder for the tables. */
type Options = { volume?: { path: string } };

export type OwnStandby = Awaited<ReturnType<typeof startOwnStandby>>;

/** A standby of a test's own Postgres, and a server that reads from it. `clock` is the server's uptime, ms. */
export async function startOwnStandby({ postgres, direct, server }: OwnPostgres) {
  const standby = await startStandby(postgres);
  const url = Object.assign(new URL(direct), { port: new URL(standby.url).port }).href;
  const clock = { uptime: 0 };
  const reports: string[] = [];
  const database = withReadReplica(openPostgres(direct), openPostgres(url), {
    onReport: (message) => reports.push(message),
    uptime: () => clock.uptime,
  });
  const reader = await startOver({ ...server.database, ...database }, server.clock);
  return {
    ...{ standby, url, clock, database, reader, reports },
    admin: (sql: string) => asAdmin(standby.url, sql),
    async close() {
      await reader.close();
      await standby.remove();
    },
  };
}

export type OwnPostgres = Awaited<ReturnType<typeof startOwnPostgres>>;

/** A Postgres server for one test, and a server that connects to it through a proxy, as a role without privileges. */
export async function startOwnPostgres({ volume }: Options = {}) {
  const postgres = await startPostgres();
  const admin = (sql: string) => asAdmin(postgres.url, sql);
  await admin("create role gatehouse login");
  if (volume) {
    const folder = join(volume.path, "tablespace");
    mkdirSync(folder);
    if (postgres.owner) chownSync(folder, postgres.owner.uid, postgres.owner.gid);
    await admin(`create tablespace small location '${folder}'`);
  }
  await admin(`create database gatehouse owner gatehouse${volume ? " tablespace small" : ""}`);
  const direct = new URL(databaseUrl(postgres.url, "gatehouse"));
  direct.username = "gatehouse";
  const proxy = await startProxy(direct.href);
  const url = proxy.url(direct.href);
  const database = openPostgres(url);
  await migrate(database);
  await bootstrap(database, TEST_KEY, PROJECT_MADE);
  const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: direct.href, max: 1 }) });
  const endConnections = () => admin("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'gatehouse'");
  const server: TestServer = await startOver({ ...database, prisma, url, endConnections, cutOff: proxy.refuse });
  return {
    postgres,
    /** Its address, past the proxy. */
    direct: direct.href,
    admin,
    proxy,
    endConnections,
    server,
    async close() {
      await server.close();
      await prisma.$disconnect();
      proxy.close();
      await postgres.remove();
    },
  };
}
