import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, toWindow } from "../common/page.ts";
import type { Env } from "../stores.ts";
import { changePerson } from "./person.ts";

export const personHandlers = {
  async listPeople({ query, stores }) {
    const { data, total } = await stores.people.list(toWindow(query));
    const pagination = paginate("/console/v1/people", query, total);
    return { status: 200, body: { message: "People listed successfully.", data, pagination } };
  },

  async getPerson({ path, stores }) {
    const data = await stores.people.get(path.id);
    return { status: 200, body: { message: "Person read successfully.", data } };
  },

  async patchPerson({ path, body, context, stores }) {
    const person = await stores.people.get(path.id);
    const data = await stores.people.replace(person, changePerson(person, body, context));
    return { status: 200, body: { message: "Person updated successfully.", data } };
  },
} satisfies Partial<Handlers<operations, Env>>;
