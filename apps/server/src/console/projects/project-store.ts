import { DEFAULT_PROJECT, INSTANCE_PROJECT } from "../../common/context.ts";
import { conflict } from "../../common/errors.ts";
import { HOUR_MS } from "../../common/utc-day.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { type DeleteOptions, entityStore } from "../../store/entities/entity-store.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import type { Window } from "../common/page.ts";
import { EVERYWHERE } from "../common/parts-elsewhere.ts";
import type { EntityKind } from "../slice.ts";
import { type FirstKey, fillProject, fillWithoutKey } from "./new-project-store.ts";
import { type Company, type ManagedProject, PLAIN_COMPANY, type Project, renameProject } from "./project.ts";
import { createSampleProjectStore } from "./sample-project-store.ts";

/** A project whose keys were used within this time is in use. */
const IN_USE_MS = 24 * HOUR_MS;
/** The most keys that an error lists. */
const MAX_NAMED_KEYS = 10;

export const projectKind: EntityKind<"project_entry", ManagedProject, "project"> = {
  table: "project_entry",
  type: "project",
  getID: (project) => project.id,
  references: null,
  columns: {},
  listing: null,
  named: null,
  ruleset: null,
  needs: null,
  reach: EVERYWHERE,
};

/** The projects of the instance. The instance's change log records them, like people, in requests to any project. */
export function createProjectStore(deps: StoreDeps) {
  const { db, projectID, by } = deps;
  const store = entityStore({ ...deps, projectID: INSTANCE_PROJECT }, projectKind);
  async function insert(project: ManagedProject): Promise<void> {
    const { id, name, createdTime } = project;
    await db.$executeRaw`insert into project (id, name, "createdTime") values (${id}, ${name}, ${createdTime})`;
    await store.create(project);
  }
  return {
    listNaming: store.listNaming,
    find: store.find,
    get: store.get,

    /** The project of the request. It exists as long as a key of it does. */
    async current(): Promise<Project> {
      const [project] = await db.$queryRaw<Project[]>`select id, name from project where id = ${projectID}`;
      if (!project) throw new Error(`The project ${projectID} does not exist.`);
      return project;
    },

    /** The company that the instance serves, for all projects. */
    async company(): Promise<Company> {
      const [company] = await db.$queryRaw<Pick<Company, "companyID" | "companyName">[]>`
        select id as "companyID", name as "companyName" from company`;
      if (!company) throw new Error("The company is missing from the database.");
      return { ...company, ...PLAIN_COMPANY };
    },

    /** The projects that a key or a person has access to, newest first. */
    listAccessible(actorID: string, window: Window): Promise<{ data: ManagedProject[]; total: number }> {
      const isOwn = Prisma.sql`(
        project_entry.id = ${projectID}
        or exists (select 1 from member where member."projectID" = project_entry.id and member.id = ${actorID})
        or exists (
          select 1 from person where person."projectID" = ${INSTANCE_PROJECT} and person.id = ${actorID} and person."isAdministrator"
        ))`;
      // Changes of this data are in the change logs of several projects.
      return store.listWhere([isOwn], window, { areLogged: false });
    },

    /** Creates the project with all that every project has. */
    async create(project: ManagedProject): Promise<{ project: ManagedProject; firstKey: FirstKey }> {
      await insert(project);
      return { project, firstKey: await fillProject(deps, project.id) };
    },

    samples: createSampleProjectStore(db),

    /** The same for the sample project, which has no key. */
    async createSample(project: ManagedProject): Promise<void> {
      await insert(project);
      await fillWithoutKey(deps, project.id);
    },

    /** Notes a project that only has its row so far. */
    note: (project: ManagedProject): Promise<ManagedProject> => store.create(project),

    /** @throws AppError conflict if `before` is outdated */
    async replace(before: ManagedProject, after: ManagedProject): Promise<ManagedProject> {
      db.$defer(Prisma.sql`update project set name = ${after.name} where id = ${after.id}`);
      return store.replace(before, after);
    },

    /** Renames the project of the request. */
    async rename(name: string): Promise<void> {
      const project = await store.get(projectID);
      await this.replace(project, renameProject(project, { name }, by));
    },

    /** The commit ends all access to it. @throws AppError conflict if it is in use, unless forced, or is the default project */
    async delete(project: ManagedProject, { force = false }: DeleteOptions = {}): Promise<void> {
      const { id } = project;
      db.$defer(Prisma.sql`update project set "deletedTime" = ${by.now} where id = ${id}`);
      await store.delete(project);
      if (id === DEFAULT_PROJECT) throw conflict(`Project ${id} cannot be deleted: the command line works on it.`);
      const used = await db.$queryRaw<{ id: string }[]>`
        select id from key where "projectID" = ${id} and status = 'active' and "lastUsedTime" > ${by.now - IN_USE_MS}
        order by id limit ${MAX_NAMED_KEYS}`;
      if (used.length === 0 || force) return;
      const keys = used.map((key) => key.id).join(", ");
      throw conflict(
        `Project ${id} cannot be deleted: it has keys that were used in the last 24 hours: ${keys}. Use force to do it anyway.`,
      );
    },
  };
}
