import { checkAll } from "../../support/checks.ts";
import type { SweptOperation } from "../../support/operations.ts";
import type { TestServer } from "../../support/server.ts";
import { refusedRequests } from "./refused-requests.ts";
import { successes, unchanging } from "./responses.ts";
import { prepareSubject } from "./subject.ts";
import { scheduled, stored, unstored } from "./writes.ts";

/** Ordered so that the checks of an operation can share one entity: the first ones leave it as it is. */
const CHECKS = [...refusedRequests, ...unchanging, ...scheduled, ...unstored, ...successes, ...stored];

/** Checks everything that an operation has in common with others. */
export async function checkOperation(server: TestServer, operation: SweptOperation): Promise<void> {
  await checkAll(await prepareSubject(server, operation), CHECKS);
}
