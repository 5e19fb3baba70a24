import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { openDatabase } from "../../src/startup/open-database.ts";
import { explain } from "../../src/startup/operator-error.ts";
import { openPostgres } from "../../src/store/database/database.ts";
import { WrongEncoding } from "../../src/store/database/encoding.ts";
import { DatabaseUnreachable } from "../../src/store/database/reachable.ts";
import { createEmptyPostgres } from "../support/empty-database.ts";
import { needs } from "../support/needs.ts";
import { closedPort } from "../support/port.ts";

const postgresAt = (port: number) => ({ databaseUrl: `postgres://nobody@127.0.0.1:${port}/nothing`, dataDir: "memory" });

describe("openDatabase", () => {
  test("waits for a Postgres that is down, logs it once, and fails after its timeout", async () => {
    const port = await closedPort();
    const waits: string[] = [];
    const refused = openDatabase(postgresAt(port), { timeoutMs: 800, onWait: (reason) => waits.push(reason) });
    await expect(refused).rejects.toThrow(DatabaseUnreachable);
    await expect(refused).rejects.toThrow(`The database cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}.`);
    expect(waits).toEqual([`connect ECONNREFUSED 127.0.0.1:${port}`]);
  });

  test("continues as soon as Postgres is up", needs.postgres, async () => {
    const url = new URL(await createEmptyPostgres());
    const { hostname, port } = url;
    const late = createServer((socket) => {
      const target = connect(Number(port || 5432), hostname);
      socket.pipe(target).pipe(socket);
      for (const [end, other] of [
        [socket, target],
        [target, socket],
      ] as const)
        end.on("error", () => {}).on("close", () => other.destroy());
    });
    const latePort = await closedPort();
    url.host = `127.0.0.1:${latePort}`;
    const database = await openDatabase({ databaseUrl: url.href, dataDir: "memory" }, { onWait: () => late.listen(latePort, "127.0.0.1") });
    expect(await database.db.$queryRaw`select 1 as "answer"`).toEqual([{ answer: 1 }]);
    await database.close();
    late.close();
  });

  test("waits for a host name that does not resolve yet", async () => {
    const databaseUrl = "postgres://nobody@postgres.invalid/nothing";
    const refused = openDatabase({ databaseUrl, dataDir: "memory" }, { timeoutMs: 0 });
    await expect(refused).rejects.toThrow(/^The database cannot be reached: getaddrinfo E\w+ postgres\.invalid\.$/);
  });

  test("does not wait for a database that does not exist", needs.postgres, async () => {
    const url = new URL(process.env.TEST_DATABASE_URL ?? "");
    url.pathname = "/gatehouse_absent";
    await expect(openDatabase({ databaseUrl: url.href, dataDir: "memory" })).rejects.toThrow(
      'The database refuses the connection: database "gatehouse_absent" does not exist.',
    );
  });

  test("rejects a database whose encoding is not UTF8, and does not change it", needs.postgres, async () => {
    const databaseUrl = await createEmptyPostgres("template template0 encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C'");
    const name = new URL(databaseUrl).pathname.slice(1);
    const refused = openDatabase({ databaseUrl, dataDir: "memory" });
    await expect(refused).rejects.toThrow(WrongEncoding);
    const error = await refused.catch((reason: unknown) => reason);
    expect(explain(error)).toBe(
      `The database ${name} has the encoding SQL_ASCII, and Gatehouse needs UTF8. Create one with \`createdb -E UTF8 -T template0 gatehouse\` and set DATABASE_URL to its address.\n`,
    );
    const database = openPostgres(databaseUrl);
    const tables = await database.db.$queryRaw`select * from information_schema.tables where table_schema = 'public'`;
    await database.close();
    expect(tables).toEqual([]);
  });

  test("waits for a Postgres that is starting up", async () => {
    // While it starts, Postgres responds to clients with the error 57P03.
    const message = "SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0";
    const starting = createServer((socket) => {
      socket
        .on("error", () => {})
        .once("data", () => {
          const header = Buffer.alloc(5, "E");
          header.writeInt32BE(message.length + 4, 1);
          socket.end(Buffer.concat([header, Buffer.from(message)]));
        });
    });
    await once(starting.listen(0, "127.0.0.1"), "listening");
    const waits: string[] = [];
    const refused = openDatabase(postgresAt((starting.address() as AddressInfo).port), {
      timeoutMs: 300,
      onWait: (reason) => waits.push(reason),
    });
    await expect(refused).rejects.toThrow("The database cannot be reached: the database system is starting up.");
    expect(waits).toHaveLength(1);
    starting.close();
  });
});
