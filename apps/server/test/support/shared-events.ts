import pg from "pg";
import { shareEvents } from "../../src/warehouse/share-events.ts";
import { asAdmin } from "./database.ts";
import { startOwnPostgres } from "./own-postgres.ts";
import { databaseUrl } from "./template-database.ts";

/** A server on its own Postgres, with logins that can be given events of projects. */
export async function startSharing() {
  const own = await startOwnPostgres();
  const superUrl = databaseUrl(own.postgres.url, "gatehouse");
  const { host } = new URL(superUrl);
  /** As a superuser, in the server's database. */
  const command = (sql: string) => asAdmin(superUrl, sql);
  await command("create role reader login password 'secret'; create role other_reader login password 'secret'");
  return {
    ...own,
    superUrl,
    command,
    loginUrl: (login: string) => `postgres://${login}:secret@${host}/gatehouse`,
    /** The rows that a statement returns to a user. */
    async as(user: string, sql: string): Promise<any[]> {
      const client = new pg.Client(`postgres://${user}:secret@${host}/gatehouse`);
      await client.connect();
      return (await client.query(sql).finally(() => client.end())).rows;
    },
    connect: (login: string) =>
      own.server.client.updateWarehouseConnection({ body: { postgres: { url: `postgres://${login}:secret@${host}/gatehouse` } } }),
    check: async () => (await own.server.client.checkWarehouseConnection({})).data,
    share: (login = "reader", projectID = "default") => shareEvents(own.server.database, projectID, login),
  };
}

export type Sharing = Awaited<ReturnType<typeof startSharing>>;
