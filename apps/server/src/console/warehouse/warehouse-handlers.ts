import type { Handlers } from "@gatehouse/contract";
import type { operations, Schema } from "@gatehouse/contract/console";
import { invalid } from "../../common/errors.ts";
import { readingWarehouse } from "../common/reading-warehouse.ts";
import type { AnalysisEnv, Stores } from "../stores.ts";
import { connected, disconnected, requireEngine } from "./warehouse-connection.ts";

export const warehouseHandlers = {
  async getWarehouseConnection({ stores }) {
    return { status: 200, body: { message: "Connection read successfully.", data: await stores.warehouse.get() } };
  },

  async updateWarehouseConnection({ body, context, stores }) {
    const { type, url } = requireEngine(body);
    const given = stores.warehouse.protect(type, url);
    if ("fault" in given) throw invalid([{ property: `${type}.url`, errorMessage: given.fault }]);
    const before = await stores.warehouse.get();
    const data = await stores.warehouse.replace(before, connected(before, given.address, context));
    await stores.warehouse.keepCredentials(given.encrypted);
    // Existing clients know the text without a full stop.
    return { status: 200, body: { message: "Connection updated successfully", data } };
  },

  async deleteWarehouseConnection({ stores }) {
    const before = await stores.warehouse.get();
    const data = await stores.warehouse.replace(before, disconnected(before));
    await stores.warehouse.keepCredentials(null);
    return { status: 200, body: { message: "Connection deleted successfully.", data } };
  },

  async checkWarehouseConnection({ stores, limited }) {
    return { status: 200, body: { message: "Connection checked successfully.", data: await check(stores, limited) } };
  },
} satisfies Partial<Handlers<operations, AnalysisEnv>>;

async function check(stores: Stores, limited: AnalysisEnv["limited"]): Promise<Schema<"WarehouseCheck">> {
  const found = await readingWarehouse(async () => {
    const warehouse = await stores.warehouse.open();
    return warehouse && limited((options) => warehouse.check(options));
  });
  if ("failure" in found) return { isUsable: false, reason: found.failure.message };
  if (found.value === undefined) return { isUsable: false, reason: "The project has no warehouse." };
  return { isUsable: true, server: found.value };
}
