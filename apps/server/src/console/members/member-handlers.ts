import type { Handlers, Permission } from "@gatehouse/contract";
import type { operations, Schema } from "@gatehouse/contract/console";
import { normalizeEmail } from "../../common/email.ts";
import { invalid, notFound, type Violation } from "../../common/errors.ts";
import { PERMISSIONS } from "../../common/permissions.ts";
import { welcomeLink } from "../../tokens/welcome-link.ts";
import { paginate, toWindow } from "../common/page.ts";
import { changePerson, newPerson, type Person, requireActive } from "../people/person.ts";
import { requireOwnProject } from "../projects/project.ts";
import type { Env, SchemaEnv, Stores } from "../stores.ts";
import { type Team, withTeamMembers } from "../teams/team.ts";
import { changeMember, givenNames, type Member, newMember } from "./member.ts";

type InviteEnv = Pick<SchemaEnv, "context" | "stores" | "baseUrl">;

export const memberHandlers = {
  async listUsers({ query, stores }) {
    const { includeStaleMembers: inactive = false, permission } = query;
    const { data, total } = await stores.members.listUsers(toWindow(query), {
      inactive,
      permission: permission === undefined ? undefined : knownPermission(permission),
    });
    const pagination = paginate("/console/v1/users", query, total);
    return { status: 200, body: { message: "Users listed successfully.", data, pagination } };
  },

  async getUser({ path, stores }) {
    const data = await stores.members.getByEmail(path.email);
    return { status: 200, body: { message: "User read successfully.", data } };
  },

  async getUserByID({ path, stores }) {
    const data = await stores.members.get(path.id);
    return { status: 200, body: { message: "User read successfully.", data } };
  },

  async updateUser({ path, body, context, stores }) {
    const member = await stores.members.getByEmail(path.email);
    const person = await stores.people.get(member.id);
    const names = givenNames(person, body, context);
    if (names) await stores.people.replace(person, changePerson(person, names, context));
    const data = await stores.members.replace(member, { ...changeMember(member, body.role ?? member.role, context), ...names });
    return { status: 200, body: { message: "User updated successfully.", data } };
  },

  async inviteUsers({ body, context, stores, baseUrl }) {
    const emails = [...new Set(body.emails.map(normalizeEmail))];
    const teams = await teamsNamed(body.teams ?? [], stores);
    const data: Schema<"IssuedToken">[] = [];
    for (const email of emails) data.push(await invite(email, body.role, { context, stores, baseUrl }));
    for (const team of teams) await stores.teams.addMembers(team, withTeamMembers(team, emails, context));
    return { status: 200, body: { message: "User(s) Invited successfully", data } };
  },

  async updateProjectMember({ path, body, context, stores }) {
    requireOwnProject(context, path.id);
    const person = await stores.people.findByEmail(normalizeEmail(path.email));
    if (!person) throw notFound("Person", path.email);
    const data = await giveRole(person, body.role, { context, stores });
    return { status: 200, body: { message: "User updated successfully.", data } };
  },

  async removeProjectMember({ path, context, stores }) {
    requireOwnProject(context, path.id);
    await stores.members.delete(await stores.members.getByEmail(path.email));
    return { status: 200, body: { message: "Member removed successfully." } };
  },
} satisfies Partial<Handlers<operations, SchemaEnv>>;

/** @throws AppError invalid_request */
function knownPermission(name: string): Permission {
  const known = PERMISSIONS.find((one) => one === name);
  if (!known) throw invalid([{ property: "permission", errorMessage: `is ${name}, which does not exist` }]);
  return known;
}

/** Adds a person as a member, or changes their role. @throws AppError conflict for a person who is deactivated */
async function giveRole(person: Person, role: string, { context, stores }: Env): Promise<Member> {
  requireActive(person, "email");
  const before = await stores.members.find(person.id);
  if (before) return stores.members.replace(before, changeMember(before, role, context));
  return stores.members.create(newMember(person, role, context));
}

/**
 * Adds a person as a member. Sends an invitation if they cannot sign in yet and the caller may act as them.
 * @throws AppError conflict for a deactivated person; forbidden
 */
async function invite(email: string, role: string, { context, stores, baseUrl }: InviteEnv): Promise<Schema<"IssuedToken">> {
  const found = await stores.people.findByEmail(email);
  const person = found ?? (await stores.people.create(newPerson({ email, firstName: "", lastName: "" }, context, context.actor)));
  const member = await giveRole(person, role, { context, stores });
  const issued = (await stores.members.canSignIn(person.id)) ? null : await stores.members.invite(member);
  if (!issued) return { email, token: null, url: null, expiresAt: null, isEmailed: false };
  return { email, url: welcomeLink(baseUrl, issued.token), ...issued };
}

/** @throws AppError invalid_request for each team that does not exist */
async function teamsNamed(given: string[], stores: Stores): Promise<Team[]> {
  const found = new Map<string, Team>();
  const violations: Violation[] = [];
  for (const [index, name] of given.entries()) {
    const team = await stores.teams.find(name);
    if (team) found.set(team.id, team);
    else violations.push({ property: `teams[${index}]`, errorMessage: `references team ${name}, which does not exist` });
  }
  if (violations.length > 0) throw invalid(violations);
  return [...found.values()];
}
