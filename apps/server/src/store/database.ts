import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "../generated/prisma/client.ts";
import { openConnections } from "./connections.ts";
import { lockFolder } from "./folder-lock.ts";
import { type Listener, type Listening, listenOnPostgres } from "./listen.ts";

/** One connection, for what Prisma's client does not do: scripts, session locks. */
export type Session = {
  query<Row>(sql: string, parameters?: unknown[]): Promise<Row[]>;
  /** Runs several statements, which take no parameters. */
  script(sql: string): Promise<void>;
};

export type Database = {
  prisma: PrismaClient;
  withSession<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** Hears what is notified on a channel, also after the connection was lost and came back. */
  listen(channel: string, listener: Listener): Listening;
  /** Fails when the database does not answer. */
  ping(): Promise<void>;
  connections(): { total: number; idle: number; waiting: number };
  close(): Promise<void>;
};

/** A Postgres server. Connects when first used; connections that break are replaced. */
export function openPostgres(connectionString: string): Database {
  const connections = openConnections(connectionString);
  const { pool } = connections;
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool, { statementNameGenerator: statementNames() }) });
  return {
    prisma,
    async withSession(work) {
      const client = await pool.connect();
      // A connection that breaks fails the statement in work; the pool listens for it only while nobody has the connection.
      client.on("error", () => {});
      connections.letBeSilent(client);
      try {
        await client.query("set statement_timeout = 0");
        return await work({
          query: async (sql, parameters) => (await client.query(sql, parameters)).rows,
          script: async (sql) => void (await client.query(sql)),
        });
      } finally {
        // The session's state (locks, settings) ends with it.
        client.release(true);
      }
    },
    listen: (channel, listener) => listenOnPostgres(connectionString, channel, { ...listener, onLost: connections.suspect }),
    ping: async () => void (await pool.query("select 1")),
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      await prisma.$disconnect();
      await connections.close();
    },
  };
}

/** The embedded Postgres: in this process, over one folder that no other process may open, or in memory. */
export async function openEmbedded(dataDir: string): Promise<Database> {
  if (dataDir === "memory") return createEmbedded();
  mkdirSync(dataDir, { recursive: true });
  const unlock = await lockFolder(dataDir);
  const database = await createEmbedded(join(dataDir, "postgres")).catch(async (error) => {
    await unlock();
    throw error;
  });
  return {
    ...database,
    async close() {
      await database.close();
      await unlock();
    },
  };
}

/** Loads PGlite only here: a server on Postgres has no use for it. */
async function createEmbedded(folder?: string): Promise<Database> {
  const { PGlite } = await import("@electric-sql/pglite");
  return embedded(await PGlite.create(folder));
}

/** A database over a PGlite that the caller made. */
export async function embedded(pglite: PGlite): Promise<Database> {
  const { PrismaPGlite } = await import("pglite-prisma-adapter");
  const prisma = new PrismaClient({ adapter: new PrismaPGlite(pglite) });
  return {
    prisma,
    withSession: (work) =>
      work({
        query: async <Row>(sql: string, parameters?: unknown[]) => (await pglite.query<Row>(sql, parameters)).rows,
        script: async (sql) => void (await pglite.exec(sql)),
      }),
    listen(channel, listener) {
      const started = pglite.listen(channel, listener.onMessage).then((stop) => {
        listener.onConnected();
        return stop;
      });
      return { close: async () => (pglite.closed ? undefined : (await started)()) };
    },
    ping: async () => void (await pglite.query("select 1")),
    connections: () => ({ total: 1, idle: 1, waiting: 0 }),
    async close() {
      await prisma.$disconnect();
      if (!pglite.closed) await pglite.close();
    },
  };
}

/** One name for each text of SQL, so that Postgres parses and plans it once a connection. Bounded: later texts stay unnamed. */
function statementNames() {
  const names = new Map<string, string>();
  return ({ sql }: { sql: string }): string => {
    let name = names.get(sql);
    if (name === undefined && names.size < 500) {
      name = `s${names.size}`;
      names.set(sql, name);
    }
    return name ?? "";
  };
}
