import { Prisma } from "../../generated/prisma/client.ts";

/** Which rows a job lists: those after the last one, of one project or of all. */
export type Listed<T> = { projectID?: string | undefined; after?: T | undefined };

/** Whether a row is one of the project. @param column the column with the row's project */
export function isOf(projectID: string | undefined, column: Prisma.Sql): Prisma.Sql {
  return projectID === undefined ? Prisma.sql`true` : Prisma.sql`${column} = ${projectID}`;
}
