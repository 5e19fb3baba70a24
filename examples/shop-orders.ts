// The orders of the shop in its own Postgres. Gatehouse reads them as the rows of a metric source.
import type { ConsoleClient, Schema } from "@gatehouse/client";
import pg from "pg";

type Orders = {
  /** The metric that Gatehouse computes from the orders. */
  metric: Schema<"Metric">;
  /** An order that is paid now. Stored with the next `flush`. */
  add(customer: string, total: number): void;
  flush(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Creates a table of orders, and connects Gatehouse to it.
 * @param databaseUrl of a user who may create tables
 * @param readerUrl of the user that Gatehouse gets
 */
export async function openOrders(api: ConsoleClient, run: string, databaseUrl: string, readerUrl: string): Promise<Orders> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const table = `orders_${run.replaceAll(/\W/g, "_").toLowerCase()}`;
  await pool.query(`create table ${table} (customer text, paid_at timestamptz, total numeric)`);
  await pool.query(`grant select on ${table} to ${pg.escapeIdentifier(decodeURIComponent(new URL(readerUrl).username))}`);
  await api.updateWarehouseConnection({ body: { postgres: { url: readerUrl } } });
  const name = `Orders ${run}`;
  await api.createMetricSource({
    body: {
      name,
      sql: `select * from ${table}`,
      timestampColumn: "paid_at",
      idTypeMapping: [{ serviceUnitID: "userID", column: "customer" }],
    },
  });
  const { data: metric } = await api.createMetric({
    body: {
      ...{ name: `Revenue of orders ${run}`, type: "user_warehouse", directionality: "increase" },
      warehouseNative: { aggregation: "sum", metricSourceName: name, valueColumn: "total" },
    },
  });
  let waiting: { customer: string; time: number; total: number }[] = [];
  return {
    metric,
    add(customer, total) {
      waiting.push({ customer, time: Date.now(), total });
    },
    async flush() {
      await pool.query(
        `insert into ${table} select customer, to_timestamp(time / 1000.0), total
         from json_to_recordset($1) as row (customer text, time bigint, total numeric)`,
        [JSON.stringify(waiting)],
      );
      waiting = [];
    },
    close: () => pool.end(),
  };
}
