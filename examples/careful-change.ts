// Changes a gate with care: finds it, asks why a user gets what they get, sees who would be affected, and then changes everything at once:
//   GATEHOUSE_CONSOLE_KEY=console-… npx --yes pnpm@12 --filter examples careful-change [SUFFIX]
import { ConsoleApiError, createConsoleClient, createEvaluationClient } from "@gatehouse/client";

const baseUrl = process.env.GATEHOUSE_URL ?? "http://127.0.0.1:4000";
const apiKey = process.env.GATEHOUSE_CONSOLE_KEY ?? "";
const api = createConsoleClient({ baseUrl, apiKey });
const application = createEvaluationClient({ baseUrl, apiKey });

/** Ends the names, so that the program can be run again on the same server. */
const run = process.argv[2] ?? Date.now().toString(36);
const say = (text: string) => process.stdout.write(`${text}\n`);

say("1. A gate that applications use");
const onPlan = (plan: string) => ({
  name: plan,
  passPercentage: 100,
  conditions: [{ type: "custom_field" as const, field: "plan", operator: "any" as const, targetValue: [plan] }],
});
const { data: made } = await api.createGate({ body: { name: `Export to PDF ${run}`, isEnabled: true, rules: [onPlan("pro")] } });
const { data: menu } = await api.createGate({
  body: {
    name: `Export menu ${run}`,
    isEnabled: true,
    rules: [{ name: "Exporting", passPercentage: 100, conditions: [{ type: "passes_gate", targetValue: made.id }] }],
  },
});
const users = ["free", "free", "pro", "team", "team"].map((plan, index) => ({ userID: `user-${index + 1}`, custom: { plan } }));
const checks = users.map((user) => ({
  eventName: "statsig::gate_exposure",
  user,
  time: Date.now(),
  metadata: { gate: made.id, gateValue: String(user.custom.plan === "pro"), ruleID: "" },
}));
await application.logEvent({ body: { events: checks } });
say(`   ${checks.length} users were checked for ${made.id}`);

say("2. Find it by a part of its name");
const { data: found } = await api.listGates({ query: { search: `pdf ${run}`, sort: "name", order: "asc" } });
say(`   ${found.map(({ id }) => id).join(", ")}`);

say("3. Why does user-4 not get it?");
const [answer] = (await api.evaluateUsers({ body: { users: [users[3] as (typeof users)[0]], entities: [{ type: "gate", id: made.id }] } }))
  .data;
for (const { value, rules } of answer?.results ?? []) {
  const compared = rules.flatMap(({ name, conditions }) => conditions.map((one) => `rule ${name} compared ${one.field} ${one.compared}`));
  say(`   ${value}: ${compared.join(", ")}`);
}

say("4. Whom would the change affect?");
const change = { rules: [...made.rules, onPlan("team")] };
const { impact = [] } = await api.patchGate({ path: { id: made.id }, query: { dryRun: true, impact: 1_000 }, body: change });
for (const { environment, users: seen, changed, transitions } of impact.filter((one) => one.users > 0)) {
  say(`   ${environment}: ${changed} of ${seen} users`);
  for (const { id, from, to, count } of transitions) say(`   ${id}: ${from} to ${to} for ${count}`);
}

say("5. Change both gates, or none, and only as they were read");
const { data: gate, etag } = await api.getGate({ path: { id: made.id } });
const apply = (ifMatch: string | undefined) =>
  api.batch({
    requests: [
      { operationId: "patchGate", path: { id: gate.id }, body: change, ...(ifMatch !== undefined && { ifMatch }) },
      { operationId: "patchGate", path: { id: menu.id }, body: { description: "Shows what can be exported." } },
    ],
  });
const {
  data: [changed, described],
} = await apply(etag);
say(`   ${changed.body.data.id} version ${changed.body.data.version}, ${described.body.data.id} version ${described.body.data.version}`);

say("6. Somebody who read it earlier is refused, and nothing of theirs is stored");
const refused = await apply(etag).catch((error: unknown) => error);
if (refused instanceof ConsoleApiError) say(`   ${refused.status}: request ${refused.index}`);
say(`   ${menu.id} is still version ${(await api.getGate({ path: { id: menu.id } })).data.version}`);
