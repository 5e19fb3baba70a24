import type { Schema } from "@gatehouse/contract/console";

export type Project = Schema<"Project">;

/** Every server has this company: the public API has companies above projects, and a server serves one. */
export const COMPANY: Schema<"Company"> = {
  companyID: "gatehouse",
  companyName: "Gatehouse",
  isWarehouseNative: false,
  orgID: null,
  orgName: null,
};
