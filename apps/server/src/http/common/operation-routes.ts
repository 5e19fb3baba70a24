import { descriptions as consoleDescriptions } from "@gatehouse/contract/console";
import { descriptions as evaluationDescriptions } from "@gatehouse/contract/evaluation";
import { descriptions as scimDescriptions } from "@gatehouse/contract/scim";
import type { OperationRoute } from "../../common/tracing.ts";

/** The route of each operation. */
export function operationRoutes(): Map<string, OperationRoute> {
  const all = [consoleDescriptions, evaluationDescriptions, scimDescriptions].flatMap((descriptions) => Object.values(descriptions));
  return new Map(all.map(({ operationId, method, path }) => [operationId, { method: method.toUpperCase(), path }]));
}
