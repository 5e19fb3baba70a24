import { descriptions as consoleDescriptions } from "@gatehouse/contract/console";
import { descriptions as evaluationDescriptions } from "@gatehouse/contract/evaluation";
import { descriptions as scimDescriptions } from "@gatehouse/contract/scim";

/** The path template of each operation: `/console/v1/gates/{id}`. */
export function operationRoutes(): Map<string, string> {
  const all = [consoleDescriptions, evaluationDescriptions, scimDescriptions].flatMap((descriptions) => Object.values(descriptions));
  return new Map(all.map(({ operationId, path }) => [operationId, path]));
}
