import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/scim";
import { discoveryHandlers } from "./discovery-handlers.ts";
import { groupHandlers } from "./group-handlers.ts";
import type { ScimEnv } from "./scim-env.ts";
import { userHandlers } from "./user-handlers.ts";

/** A handler for every operation of the SCIM API. */
export const scimHandlers: Handlers<operations, ScimEnv> = { ...discoveryHandlers, ...groupHandlers, ...userHandlers };
