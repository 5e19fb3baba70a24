import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { notFound } from "../../common/errors.ts";
import { pageThrough } from "../common/page.ts";
import type { SchemaEnv } from "../stores.ts";

export const personSessionHandlers = {
  async listPersonSessions({ path, query, stores, sessionLimits }) {
    const person = await stores.people.get(path.id);
    const sessions = await stores.personSessions.list(person, sessionLimits);
    const page = pageThrough(`/console/v1/people/${person.id}/sessions`, query, sessions);
    return { status: 200, body: { message: "Sessions listed successfully.", ...page } };
  },

  async endPersonSessions({ path, stores }) {
    await stores.personSessions.endAll(await stores.people.get(path.id));
    return { status: 200, body: { message: "Sessions ended successfully." } };
  },

  async endPersonSession({ path, stores }) {
    const person = await stores.people.get(path.id);
    if (!(await stores.personSessions.end(person, path.sessionID))) throw notFound("Session", path.sessionID);
    return { status: 200, body: { message: "Session ended successfully." } };
  },
} satisfies Partial<Handlers<operations, SchemaEnv>>;
