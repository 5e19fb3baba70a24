import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, toWindow } from "../common/page.ts";
import type { Env } from "../stores.ts";
import { newProject, renameProject, requireOwnProject } from "./project.ts";
import { SAMPLE_NAME, toSampleProject } from "./sample-project.ts";

export const projectHandlers = {
  async getProject({ stores }) {
    const data = await stores.projects.current();
    return { status: 200, body: { message: "Project read successfully.", data } };
  },

  async getCompany({ stores }) {
    const data = await stores.projects.company();
    return { status: 200, body: { message: "Company read successfully.", data } };
  },

  async listProjects({ query, context, stores }) {
    const { data, total } = await stores.projects.listAccessible(context.actor.id, toWindow(query));
    const pagination = paginate("/console/v1/projects", query, total);
    return { status: 200, body: { message: "Projects listed successfully.", data, pagination } };
  },

  async createProject({ body, context, stores }) {
    const { project, firstKey } = await stores.projects.create(newProject(body, context));
    return { status: 201, body: { message: "Project created successfully.", data: { ...project, firstKey } } };
  },

  async getSampleProject({ stores }) {
    const data = toSampleProject(await stores.projects.samples.find());
    return { status: 200, body: { message: "Sample project read successfully.", data } };
  },

  async createSampleProject({ context, stores }) {
    const { samples } = stores.projects;
    if (!(await samples.find({ lock: true }))) {
      const project = newProject({ name: SAMPLE_NAME }, context);
      await stores.projects.createSample(project);
      await samples.add(project.id, context.now);
    }
    const data = toSampleProject(await samples.find());
    return { status: 200, body: { message: "The sample project exists.", data } };
  },

  async getProjectByID({ path, context, stores }) {
    requireOwnProject(context, path.id);
    const data = await stores.projects.get(path.id);
    return { status: 200, body: { message: "Project read successfully.", data } };
  },

  async patchProject({ path, body, context, stores }) {
    requireOwnProject(context, path.id);
    const project = await stores.projects.get(path.id);
    const data = await stores.projects.replace(project, renameProject(project, body, context));
    await stores.settings.rename(body.name);
    return { status: 200, body: { message: "Project updated successfully.", data } };
  },

  async deleteProject({ path, query, stores }) {
    await stores.projects.delete(await stores.projects.get(path.id), { force: query.force });
    return { status: 200, body: { message: "Project deleted successfully." } };
  },
} satisfies Partial<Handlers<operations, Env>>;
