import type { StoreDeps } from "../../store/store-deps.ts";
import type { Project } from "./project.ts";

export function createProjectStore({ db, projectID }: StoreDeps) {
  return {
    /** The project of the request. It exists as long as a key of it does. */
    async get(): Promise<Project> {
      const [project] = await db.$queryRaw<Project[]>`select id, name from project where id = ${projectID}`;
      if (!project) throw new Error(`There is no project ${projectID}.`);
      return project;
    },
  };
}
