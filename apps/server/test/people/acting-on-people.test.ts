import { descriptions, permissions } from "@gatehouse/contract/console";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Slices, slices } from "../../src/console/slices.ts";
import { makeKey } from "../support/keys.ts";
import { fill } from "../support/operations.ts";
import { makeOtherProject } from "../support/other-project.ts";
import { makePerson } from "../support/people.ts";
import { startServer, type TestServer } from "../support/server.ts";
import {
  ADMINISTRATION,
  accessTo,
  KINDS,
  type KindName,
  listRights,
  makeSubject,
  type Permission,
  type Right,
  rightsOfSession,
  type Subject,
  withoutFactors,
  withoutSessions,
} from "../support/subjects.ts";

// Callers gain no rights through another person: every operation that acts on people or shows a secret is sent by every kind of caller to
// every kind of person. Its changes, and the rights of the secrets in its answer, are compared with the caller's rights.

const PEOPLE_SLICES = [
  "members",
  "invitations",
  "people",
  "passwordResets",
  "personSessions",
  "personSecondFactors",
  "teams",
  "roles",
] as const;

type OfPeople = { [Name in (typeof PEOPLE_SLICES)[number]]: keyof Slices[Name]["handlers"] }[(typeof PEOPLE_SLICES)[number]];
type SweptID = OfPeople | "createKey" | "rotateKey" | "patchKey" | "deactivateKey" | "createProject";
type Sent = { path?: Record<string, string>; query?: string; body?: object };

/** One way to send an operation. */
type Variant = {
  /** The people it acts on; a single one if the kind does not matter. */
  on?: KindName[];
  send(subject: Subject): Sent | Promise<Sent>;
  /** The rights that a success adds or removes, whether or not the person has them before. */
  touches?(before: Right[]): Right[];
  /** Whether a success ends sessions of the person, who may have other ways to sign in. */
  endsSessions?: true;
  /** Whether a success removes the second factors of the person. */
  removesFactors?: true;
};

const EVERY_RIGHT = Object.keys(permissions).map((one) => `default ${one as Permission}` as const);
/** Rights that no key can have, so that keys may give them. */
const OF_PEOPLE: ReadonlySet<Right> = new Set(
  EVERY_RIGHT.filter((right) => permissions[right.split(" ")[1] as Permission].scopes.length === 0),
);
const rightsOfRole = (role: string): Right[] =>
  EVERY_RIGHT.filter((right) => role === "Admin" || permissions[right.split(" ")[1] as Permission].roles.includes(role as "Viewer"));
/** Rights in the project of the caller. */
const rightsHere = (rights: Right[]) => rights.filter((right) => right.startsWith("default "));

const EVERYONE = Object.keys(KINDS) as KindName[];
const MEMBERS = EVERYONE.filter((name) => "role" in KINDS[name]);
const WITH_ROLES: KindName[] = ["a person with a weak role", "a person with a strong role"];

/** An operation that gives the person a role, once for each. */
const giving = (on: KindName[], send: (subject: Subject, role: string) => Sent): Variant[] =>
  ["Viewer", "Admin"].map((role) => ({
    on,
    send: (subject) => send(subject, role),
    touches: (before) => [...rightsHere(before), ...rightsOfRole(role)],
  }));
const reading: Variant[] = [{ send: ({ id, email }) => ({ path: { id, email } }) }];
let teams = 0;
const inTeam = async (path: Record<string, string> = {}, body?: object): Promise<Sent> => {
  const { data } = await server.client.createTeam({ body: { name: `Team ${++teams}` } });
  return { path: { id: data.id, version: "1", ...path }, ...(body && { body }) };
};
const withStrongKey = async () => ({ path: { id: (await makeKey(server, { type: "CONSOLE", scopes: [...EVERY_SCOPE] })).id } });

const TABLE: Record<SweptID, Variant[]> = {
  listUsers: reading,
  getUser: reading,
  getUserByID: reading,
  updateUser: giving(MEMBERS, ({ email }, role) => ({ path: { email }, body: { role } })),
  inviteUsers: [
    ...giving(EVERYONE, ({ email }, role) => ({ body: { role, emails: [email] } })),
    // A person who is new to the instance.
    { send: ({ email }) => ({ body: { role: "Viewer", emails: [`new.${email}`] } }), touches: () => rightsOfRole("Viewer") },
  ],
  updateProjectMember: giving(EVERYONE, ({ email }, role) => ({ path: { id: "default", email }, body: { role } })),
  removeProjectMember: [{ on: MEMBERS, send: ({ email }) => ({ path: { id: "default", email } }), touches: rightsHere }],
  listInvitations: reading,
  deleteInvitation: [{ on: MEMBERS, send: ({ invitation }) => ({ path: { id: invitation } }), touches: rightsHere }],
  listPeople: reading,
  getPerson: reading,
  patchPerson: [{ isActive: false }, { isAdministrator: true }].map((body) => ({
    on: EVERYONE,
    send: ({ id }) => ({ path: { id }, body }),
  })),
  listPasswordResets: reading,
  createPasswordReset: [{ on: EVERYONE, send: ({ id }) => ({ path: { id } }) }],
  deletePasswordReset: [
    {
      async send({ id }) {
        await server.send("POST", `/console/v1/people/${id}/password_reset`);
        return { path: { id } };
      },
    },
  ],
  listPersonSessions: [{ on: MEMBERS, send: ({ id }) => ({ path: { id } }), touches: (before) => before }],
  endPersonSessions: [{ on: MEMBERS, send: ({ id }) => ({ path: { id } }), touches: (before) => before, endsSessions: true }],
  endPersonSession: [
    { on: MEMBERS, send: ({ id, session }) => ({ path: { id, sessionID: session } }), touches: (before) => before, endsSessions: true },
  ],
  getPersonSecondFactors: [{ on: MEMBERS, send: ({ id }) => ({ path: { id } }), touches: (before) => before }],
  deletePersonSecondFactors: [
    { on: MEMBERS, send: ({ id }) => ({ path: { id } }), touches: (before) => before, endsSessions: true, removesFactors: true },
  ],
  listTeams: reading,
  createTeam: [{ send: ({ email }) => ({ body: { name: `Team ${++teams}`, members: [email] } }) }],
  getTeam: [{ send: () => inTeam() }],
  patchTeam: [{ send: ({ email }) => inTeam({}, { admins: [email] }) }],
  deleteTeam: [{ send: () => inTeam() }],
  listTeamVersions: [{ send: () => inTeam() }],
  restoreTeamVersion: [{ send: () => inTeam() }],
  listRoles: reading,
  getRole: [{ on: WITH_ROLES, send: ({ role }) => ({ path: { id: role } }) }],
  createRole: [["read"], ["read", "manage_keys"]].map((given) => ({
    send: ({ id }) => ({ body: { name: id, permissions: Object.fromEntries(given.map((one) => [one, true])) } }),
    touches: () => given.map((one) => `default ${one as Permission}` as const),
  })),
  patchRole: [{ read: false }, { read: false, manage_keys: false }, { launch_or_disable_configs: true }].map((given) => ({
    on: WITH_ROLES,
    send: ({ role }) => ({ path: { id: role }, body: { permissions: given } }),
    touches: (before) => [
      ...rightsHere(before),
      ...("launch_or_disable_configs" in given ? ["default launch_or_disable_configs" as const] : []),
    ],
  })),
  deleteRole: [{ on: WITH_ROLES, send: ({ role }) => ({ path: { id: role }, query: "?forceArchive=true" }), touches: rightsHere }],
  createKey: [
    {
      send: () => ({ body: { type: "CONSOLE", description: "", scopes: [...EVERY_SCOPE] } }),
      touches: () => EVERY_RIGHT,
    },
  ],
  rotateKey: [{ send: withStrongKey, touches: () => EVERY_RIGHT }],
  patchKey: [{ send: async () => ({ ...(await withStrongKey()), body: { description: "" } }), touches: () => EVERY_RIGHT }],
  deactivateKey: [{ send: withStrongKey }],
  createProject: [{ send: ({ id }) => ({ body: { name: id } }) }],
};

type Caller = { key: string | null; headers: Record<string, string>; holds(right: Right): boolean; isLimited: boolean };
type Scope = "omni_read_only" | "omni_read_write" | "can_access_keys";
const EVERY_SCOPE = ["omni_read_write", "can_access_keys"] as const;
const ROLES: Record<string, Permission[]> = {
  Inviter: ["read", "invitation_access"],
  "People manager": ["read", "invitation_access", "manage_members", "manage_roles", "create_teams"],
};
const SESSIONS = ["Admin", "Member", "Viewer", "Inviter", "People manager", "no role", "administrator"];
const KEYS: { name: string; scopes: Scope[]; role?: string; environments?: string[] }[] = [
  { name: "omni_read_only", scopes: ["omni_read_only"] },
  { name: "omni_read_write", scopes: ["omni_read_write"] },
  { name: "omni_read_only and can_access_keys", scopes: ["omni_read_only", "can_access_keys"] },
  { name: "omni_read_write and can_access_keys", scopes: [...EVERY_SCOPE] },
  { name: "the role Inviter", scopes: [...EVERY_SCOPE], role: "Inviter" },
  { name: "omni_read_write in development alone", scopes: ["omni_read_write"], environments: ["development"] },
];

let server: TestServer;
const callers = new Map<string, Caller>();

beforeAll(async () => {
  server = await startServer();
  await makeOtherProject(server);
  for (const [name, given] of Object.entries(ROLES)) {
    await server.client.createRole({ body: { name, permissions: Object.fromEntries(given.map((one) => [one, true])) } });
  }
  for (const name of SESSIONS) {
    const isAdministrator = name === "administrator";
    const { person, headers } = await makePerson(server, { isAdministrator });
    if (name !== "no role" && !isAdministrator)
      await server.client.updateProjectMember({ path: { id: "default", email: person.email }, body: { role: name } });
    const rights = new Set(await rightsOfSession(server, headers));
    callers.set(`a session of ${name}`, { key: null, headers, holds: (right) => isAdministrator || rights.has(right), isLimited: false });
  }
  for (const { name, role, ...given } of KEYS) {
    const { key } = await makeKey(server, { type: "CONSOLE", ...given, ...(role !== undefined && { role }) });
    const rights = new Set<Right>(rightsOfKey(given.scopes, role));
    const holds = (right: Right) => rights.has(right) || OF_PEOPLE.has(right);
    callers.set(`a key with ${name}`, { key, headers: {}, holds, isLimited: "environments" in given });
  }
});
afterAll(() => server.close());

/** The rights of a key by the contract's table, and by its role. */
function rightsOfKey(scopes: string[], role?: string, project = "default"): Right[] {
  const names = Object.keys(permissions) as Permission[];
  const given = names.filter((one) => permissions[one].scopes.some((set) => set.every((scope) => scopes.includes(scope))));
  return given.filter((one) => role === undefined || ROLES[role]?.includes(one)).map((one) => `${project} ${one}` as const);
}

/** The rights that the secrets of an answer give to their bearer. */
async function rightsInAnswer({ text, body }: { text: string; body: any }): Promise<Right[]> {
  const found: Right[] = [];
  for (const [token] of text.matchAll(/once-\w+(?=")/g)) {
    const { email } = [body.data].flat()[0];
    const redeemed = await server.send("POST", "/console/v1/session/redeem", {
      body: { token, email, password: "correct horse battery staple" },
    });
    if (redeemed.status === 200) found.push(...listRights(redeemed.body.data));
  }
  if (!/"console-\w+"/.test(text)) return found;
  const id = body.data.firstKey?.id ?? body.data.id;
  const key = await server.database.prisma.key.findFirstOrThrow({ where: { id } });
  return [...found, ...rightsOfKey(key.scopes, key.role ?? undefined, key.projectID)];
}

/** The rights that are in one of two lists alone. */
const difference = (one: Right[], other: Right[]) => [
  ...one.filter((right) => !other.includes(right)),
  ...other.filter((right) => !one.includes(right)),
];
const listVariants = (id: SweptID) =>
  TABLE[id].flatMap((variant) => (variant.on ?? ["a pending Admin" as const]).map((kind) => ({ ...variant, kind })));

describe("people cannot use another person to gain permissions they lack", () => {
  test("in any operation on people, and any that shows a secret", () => {
    const ofPeople = PEOPLE_SLICES.flatMap((name) => Object.keys(slices[name].handlers));
    const showing = Object.values(descriptions).filter(({ shownOnce }) => shownOnce);
    expect(Object.keys(TABLE).toSorted()).toEqual([...new Set([...ofPeople, ...showing.map((one) => one.operationId)])].toSorted());
  });

  test.each(Object.keys(TABLE) as SweptID[])("%s", async (id) => {
    for (const [name, caller] of callers) {
      const isGiven = caller.holds(neededBy(id));
      // Without the permission of the operation, the person it acts on does not matter.
      for (const variant of isGiven ? listVariants(id) : listVariants(id).slice(0, 1)) {
        const { before, after, sent, answer, touched } = await attempt(id, variant, caller);
        const what = [name, variant.kind, sent.body];
        const isPermitted = isGiven && touched.every(caller.holds) && !(caller.isLimited && descriptions[id].isWrite);
        expect([...what, answer.status]).toEqual([...what, isPermitted ? expect.toBeOneOf([200, 201]) : 403]);
        const gained = [...difference(before.rights, after.rights), ...(await rightsInAnswer(answer))];
        expect([...what, gained.filter((right) => !caller.holds(right))]).toEqual([...what, []]);
        const remaining = variant.removesFactors && isPermitted ? withoutFactors(before.access) : before.access;
        const access = variant.endsSessions && isPermitted ? withoutSessions(remaining) : remaining;
        if (!caller.holds(ADMINISTRATION)) expect([...what, after.access]).toEqual([...what, access]);
        if (id === "inviteUsers" && isPermitted) {
          const rights = variant.on ? after.rights : touched;
          const hasLink = !("canSignIn" in KINDS[variant.kind]) && rights.every(caller.holds);
          expect([...what, answer.body.data[0].token]).toEqual([...what, hasLink ? expect.stringMatching(/^once-/) : null]);
        }
      }
    }
  });

  function neededBy(id: SweptID): Right {
    const { permission } = descriptions[id];
    return permission === "administrator" ? ADMINISTRATION : `default ${permission as Permission}`;
  }

  /** Sends an operation that acts on a person who is made for it. */
  async function attempt(id: SweptID, { kind, send, touches }: Variant & { kind: KindName }, { key, headers }: Caller) {
    const { method, path } = descriptions[id];
    const subject = await makeSubject(server, KINDS[kind]);
    const look = async () => ({ rights: await rightsOfSession(server, subject.headers), access: await accessTo(server, subject) });
    const sent = await send(subject);
    const before = await look();
    const url = `${fill(path, sent.path ?? {})}${sent.query ?? ""}`;
    const answer = await server.send(method.toUpperCase(), url, { key, headers, body: sent.body });
    return { before, after: await look(), sent, answer, touched: touches?.(before.rights) ?? [] };
  }
});
