import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { notFound } from "../../common/errors.ts";
import type { SchemaEnv } from "../stores.ts";

export const personSessionHandlers = {
  async listPersonSessions({ path, stores, sessionLimits }) {
    const person = await stores.people.get(path.id);
    const data = await stores.personSessions.list(person, sessionLimits);
    return { status: 200, body: { message: "Sessions listed successfully.", data } };
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
