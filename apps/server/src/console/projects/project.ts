import type { Schema } from "@gatehouse/contract/console";

export type Project = Schema<"Project">;
export type Company = Schema<"Company">;

/** The fields of a company that are the same on every instance. */
export const PLAIN_COMPANY = { isWarehouseNative: false, orgID: null, orgName: null } satisfies Partial<Company>;
