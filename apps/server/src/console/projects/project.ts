import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { notFound } from "../../common/errors.ts";
import { randomID } from "../../common/identifier.ts";
import { created, modified } from "../common/stamp.ts";

/** The response of `getProject` for the project of a request. */
export type Project = Schema<"Project">;
/** A project as the instance manages it. */
export type ManagedProject = Schema<"ManagedProject">;
export type Company = Schema<"Company">;
type ProjectInput = WritableSchema<"ProjectInput">;

/** The fields of a company that are the same on every instance. */
export const PLAIN_COMPANY = { isWarehouseNative: false, orgID: null, orgName: null } satisfies Partial<Company>;

/** Random ids never equal that of the instance or that of a project with a remaining audit log. */
export function newProject({ name }: ProjectInput, context: Pick<Context, "actor" | "now">, id = randomID()): ManagedProject {
  return { id, name, ...created(context) };
}

export function renameProject(project: ManagedProject, { name }: ProjectInput, context: Pick<Context, "actor" | "now">): ManagedProject {
  return { ...project, name, ...modified(project, context) };
}

/** A path that names a project names that of the request. @throws AppError not_found, so that a key sees no other project */
export function requireOwnProject({ projectID }: Context, id: string): void {
  if (id !== projectID) throw notFound("Project", id);
}
