import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { notFound } from "../../common/errors.ts";
import { welcomeLink } from "../../tokens/welcome-link.ts";
import { paginate, toWindow } from "../common/page.ts";
import { changePerson, requireActive } from "../people/person.ts";
import type { SchemaEnv } from "../stores.ts";

export const passwordResetHandlers = {
  async listPasswordResets({ query, stores }) {
    const { data, total } = await stores.passwordResets.list(toWindow(query));
    const pagination = paginate("/console/v1/password_resets", query, total);
    return { status: 200, body: { message: "Password resets listed successfully.", data, pagination } };
  },

  async createPasswordReset({ path, context, stores, baseUrl }) {
    const person = await stores.people.get(path.id);
    requireActive(person, "id");
    const { email } = await stores.people.replace(person, changePerson(person, {}, context));
    const issued = await stores.passwordResets.create(person);
    const data = { email, url: welcomeLink(baseUrl, issued.token), ...issued };
    return { status: 200, body: { message: "Password reset created successfully.", data } };
  },

  async deletePasswordReset({ path, context, stores }) {
    const person = await stores.people.get(path.id);
    await stores.people.replace(person, changePerson(person, {}, context));
    if (!(await stores.passwordResets.revoke(person))) throw notFound("Password reset of", person.email);
    return { status: 200, body: { message: "Password reset revoked successfully." } };
  },
} satisfies Partial<Handlers<operations, SchemaEnv>>;
