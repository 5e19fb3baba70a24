import { DEFAULT_PROJECT, type PermittedContext } from "./context.ts";
import { EVERY_PERMISSION } from "./permissions.ts";

/** The context of writes by the server itself and by the command line. */
export function systemContext(operationID: string, now: number, projectID = DEFAULT_PROJECT): PermittedContext {
  const principal = { permissions: EVERY_PERMISSION, grantedBy: "the server", limits: null, publishing: null, administersInstance: true };
  return { actor: { id: "system", name: "GATEHOUSE", email: null }, projectID, operationID, now, ...principal };
}
