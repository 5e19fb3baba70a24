import type { TestServer } from "./server.ts";

// The entities that makers of fixtures share.

/** An entity that a path addresses: the path's parameters, and its row. */
export type Fixture = { parameters: Record<string, string>; table: string; key: Record<string, string> };

/** The groups that the contract's examples of lifecycle steps and overrides reference. */
export const COLORED = {
  allocation: 1,
  groups: [
    { id: "blue", name: "Control", size: 50 },
    { id: "green", name: "Green", size: 50 },
  ],
};

/** Raises an alert of the metric that the contract's examples name. */
export async function raiseAlert(server: TestServer, subjectType: "gate" | "experiment", subjectID: string): Promise<string> {
  const metricID = "Checkouts::event_user";
  await server.database.prisma.$executeRaw`
    insert into guardrail_alert ("projectID", id, "subjectType", "subjectID", "partID", "metricID", "raisedTime", finding)
    values (${await ownProject(server)}, ${`alert of ${subjectID}`}, ${subjectType}, ${subjectID}, 'half', ${metricID}, 1, '{"maxHarmPercent":1}')`;
  return metricID;
}

export const byID = (table: string, id: string): Fixture => ({ parameters: { id }, table, key: { id } });

/** A started autotune with the variants that the contract's examples name. */
export async function makeStarted({ client }: TestServer, name: string): Promise<Fixture> {
  const variants = ["5gQm1TzXkWcY8uVbN0hLsa", "2fRw7PzQkJcB4uDbN6mEsx"].map((id) => ({ id, name: id, json: {} }));
  const windows = { explorationWindow: "24hr", attributionWindow: "1hr", winnerThreshold: "95%" } as const;
  const { id } = (await client.createAutotune({ body: { name, variants, successEvent: "purchase", ...windows } })).data;
  await client.startAutotune({ path: { id } });
  return byID("autotune", id);
}

export async function makeSegment(
  { client }: TestServer,
  name: string,
  type: "id_list" | "rule_based" | "user_store_id_list",
): Promise<Fixture> {
  return byID("segment", (await client.createSegment({ body: { name, type } })).data.id);
}

/** A gate with the rule that the contract's examples of loads name. */
export async function makeRule(client: TestServer["client"], name: string) {
  const rules = [{ id: "3hXq0TzRkWcY8uVbN1mEsa", name: "Staff", passPercentage: 1, conditions: [] }];
  const { data } = await client.createGate({ body: { name, rules } });
  return { id: data.id, ruleID: data.rules[0]?.id ?? "" };
}

export async function makeMetric(client: TestServer["client"], name: string) {
  const { id } = (await client.createMetric({ body: { name, type: "event_user", metricEvents: [{ name: "purchase" }] } })).data;
  return { parameters: { id }, table: "metric", key: { id } };
}

/** A metric that is archived already. Archiving one takes until midnight. */
export async function makeArchivedMetric({ client, database }: TestServer, name: string) {
  const metric = await makeMetric(client, name);
  const { id } = metric.parameters;
  const { data } = await client.getMetric({ path: { id } });
  const entity = JSON.stringify({ ...data, isHidden: true, archiveTime: data.createdTime });
  await database.prisma.metric.updateMany({ where: { id }, data: { isHidden: true, entity } });
  return metric;
}

/** What a new alert on that metric needs beside a name. */
export const ALERT = {
  ...{ alertType: "threshold", metrics: { A: { id: "Checkouts::event_user" } }, condition: "greater" },
  ...{ alertThreshold: 1, windowMs: 300_000, priority: "P3" },
};

/** The metric that examples name, unless it exists. */
export async function makeCheckouts(client: TestServer["client"]): Promise<Fixture> {
  const { data } = await client.listMetrics({ query: { search: "Checkouts" } });
  const exists = data.some(({ id }) => id === "Checkouts::event_user");
  return exists ? byID("metric", "Checkouts::event_user") : makeMetric(client, "Checkouts");
}

export async function makeAlert({ client }: TestServer, name: string): Promise<string> {
  const watched = { alertType: "threshold", metrics: { A: { id: "Checkouts::event_user" } } } as const;
  const body = { name, ...watched, condition: "greater", alertThreshold: 1, windowMs: 300_000, priority: "P3" } as const;
  return (await client.createAlert({ body })).data.id;
}

/** The project of the server's key. */
export async function ownProject({ client }: TestServer): Promise<string> {
  return (await client.getProject()).data.id;
}

/** Invites a person of this name. */
export async function makeMember({ client }: TestServer, name: string) {
  const email = `${name.replaceAll(/\W/g, "_").toLowerCase()}@example.com`;
  await client.inviteUsers({ body: { role: "Member", emails: [email] } });
  const { id } = (await client.getUser({ path: { email } })).data;
  return { email, id, table: "member", key: { id } };
}

/** Makes a prompt with a candidate. */
export async function makePromptVersion(client: TestServer["client"], name: string): Promise<Fixture> {
  const { id } = (await client.createPrompt({ body: { name } })).data;
  const { data } = await client.createPromptVersion({ path: { id }, body: { name: "First" } });
  return { parameters: { id, versionID: data.id }, table: "prompt", key: { id } };
}
