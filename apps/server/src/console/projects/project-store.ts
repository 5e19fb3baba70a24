import type { StoreDeps } from "../../store/store-deps.ts";
import { type Company, PLAIN_COMPANY, type Project } from "./project.ts";

export function createProjectStore({ db, projectID }: StoreDeps) {
  return {
    /** The project of the request. It exists as long as a key of it does. */
    async get(): Promise<Project> {
      const [project] = await db.$queryRaw<Project[]>`select id, name from project where id = ${projectID}`;
      if (!project) throw new Error(`There is no project ${projectID}.`);
      return project;
    },

    /** The company that the instance serves, whatever the project. */
    async company(): Promise<Company> {
      const [company] = await db.$queryRaw<Pick<Company, "companyID" | "companyName">[]>`
        select id as "companyID", name as "companyName" from company`;
      if (!company) throw new Error("There is no company.");
      return { ...company, ...PLAIN_COMPANY };
    },
  };
}
