import pg from "pg";
import { startPostgres } from "../../../../scripts/postgres.mjs";

/** A Postgres with the orders of a shop, which a user `reader` can read, as a project connects it. */
export async function startShopWarehouse() {
  const postgres = await startPostgres();
  const { host, port } = new URL(postgres.url);
  // Idle connections break when a test stops the server.
  const createPool = (database: string) =>
    new pg.Pool({ connectionString: `postgres://postgres@${host}/${database}` }).on("error", () => {});
  const admin = createPool("postgres");
  await admin.query("create database shop");
  await admin.query("create role reader login");
  await admin.end();
  const shop = createPool("shop");
  await shop.query("create table orders (customer text, company text, at timestamptz, total numeric, city text)");
  await shop.query("create table secrets (secret text)");
  await shop.query("insert into secrets values ('of the shop')");
  await shop.query("grant select on orders to reader");
  return {
    host,
    port: Number(port),
    url: `postgres://reader:secret@${host}/shop`,
    superUrl: `postgres://postgres:secret@${host}/shop`,
    query: async (text: string, values: unknown[] = []) => (await shop.query(text, values)).rows,
    stop: () => postgres.stop("immediate"),
    start: postgres.start,
    async close() {
      await shop.end();
      await postgres.remove();
    },
  };
}

export type ShopWarehouse = Awaited<ReturnType<typeof startShopWarehouse>>;
