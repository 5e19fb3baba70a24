import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, pickFilters, toWindow } from "../common/page.ts";
import type { Env } from "../stores.ts";
import { moveRelease } from "./move-release.ts";
import { aborted, approved, completed, type Phase, paused, resumed, skippedTo } from "./release.ts";

export const releaseHandlers = {
  async listReleases({ query, stores }) {
    const { data, total } = await stores.releases.list(pickFilters(query), toWindow(query));
    const pagination = paginate("/console/v1/release_pipeline_triggers", query, total);
    return { status: 200, body: { message: "Pipeline triggers listed correctly.", data, pagination } };
  },

  async getRelease({ path, stores }) {
    const data = await stores.releases.get(path.id);
    return { status: 200, body: { message: "Pipeline trigger retrieved successfully.", data } };
  },

  async approveRelease({ path, body, context, stores }) {
    const release = await stores.releases.get(path.id);
    stores.releases.requireApprover(release);
    const data = await moveRelease(stores, release, (phases) => approved(release, phases, body.phaseID, context), context);
    return { status: 200, body: { message: "Pipeline trigger approved successfully.", data } };
  },

  async pauseRelease({ path, body, context, stores }) {
    const release = await stores.releases.get(path.id);
    const data = await stores.releases.replace(release, paused(release, body.phaseID, context));
    return { status: 200, body: { message: "Pipeline trigger paused successfully.", data } };
  },

  async resumeRelease({ path, body, context, stores }) {
    const release = await stores.releases.get(path.id);
    const data = await stores.releases.replace(release, resumed(release, body.phaseID, context));
    return { status: 200, body: { message: "Pipeline trigger resumed successfully.", data } };
  },

  async skipRelease({ path, body, context, stores }) {
    const release = await stores.releases.get(path.id);
    const skip = (phases: readonly Phase[]) => {
      stores.releases.requireSkipper(release, phases, body.phaseID);
      return skippedTo(release, phases, body.phaseID, context);
    };
    const data = await moveRelease(stores, release, skip, context);
    return { status: 200, body: { message: "Pipeline trigger skipped successfully.", data } };
  },

  async completeRelease({ path, context, stores }) {
    const release = await stores.releases.get(path.id);
    const complete = (phases: readonly Phase[]) => {
      stores.releases.requireSkipper(release, phases, null);
      return completed(release, phases, context);
    };
    const data = await moveRelease(stores, release, complete, context);
    return { status: 200, body: { message: "Pipeline trigger rolled out successfully.", data } };
  },

  async abortRelease({ path, context, stores }) {
    const release = await stores.releases.get(path.id);
    const data = await moveRelease(stores, release, () => aborted(release, context), context);
    return { status: 200, body: { message: "Pipeline trigger aborted successfully.", data } };
  },
} satisfies Partial<Handlers<operations, Env>>;
