import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, toWindow } from "../common/page.ts";
import { listVersions, restoreVersion } from "../common/version-handlers.ts";
import type { Env } from "../stores.ts";
import { changeUnitIDType, newUnitIDType, requireDeletable } from "./unit-id-type.ts";

export const unitIDTypeHandlers = {
  listUnitIDTypeVersions: listVersions("listUnitIDTypeVersions", "Unit ID Type", (stores) => stores.unitIDTypes),
  restoreUnitIDTypeVersion: restoreVersion("Unit ID Type", (stores) => stores.unitIDTypes),

  async listUnitIDTypes({ query, stores }) {
    const { data, total } = await stores.unitIDTypes.list(toWindow(query));
    const pagination = paginate("/console/v1/unit_id_types", query, total);
    return { status: 200, body: { message: "Unit ID Types listed successfully.", data, pagination } };
  },

  async createUnitIDType({ body, context, stores }) {
    const data = await stores.unitIDTypes.create(newUnitIDType(body, context));
    return { status: 201, body: { message: "Unit ID Type created successfully.", data } };
  },

  async getUnitIDType({ path, stores }) {
    const data = await stores.unitIDTypes.get(path.id);
    return { status: 200, body: { message: "Unit ID Type read successfully.", data } };
  },

  async patchUnitIDType({ path, body, context, stores }) {
    const type = await stores.unitIDTypes.get(path.id);
    const data = await stores.unitIDTypes.replace(type, changeUnitIDType(type, body, context));
    return { status: 200, body: { message: "Unit ID Type updated successfully.", data } };
  },

  async deleteUnitIDType({ path, query, stores }) {
    const type = await stores.unitIDTypes.get(path.id);
    requireDeletable(type);
    await stores.unitIDTypes.delete(type, { force: query.forceArchive });
    return { status: 200, body: { message: "Unit ID Type deleted successfully." } };
  },
} satisfies Partial<Handlers<operations, Env>>;
