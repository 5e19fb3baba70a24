// Lives through a release with only the client package:
//   GATEHOUSE_CONSOLE_KEY=console-… npx --yes pnpm@12 --filter examples first-release [SUFFIX]
import { ConsoleApiError, createConsoleClient, createEvaluationClient, pages } from "@gatehouse/client";

const baseUrl = process.env.GATEHOUSE_URL ?? "http://127.0.0.1:4000";
const apiKey = process.env.GATEHOUSE_CONSOLE_KEY ?? "";
const api = createConsoleClient({ baseUrl, apiKey });
const application = createEvaluationClient({ baseUrl, apiKey });

/** Ends the names, so that the program can be run again on the same server. */
const run = process.argv[2] ?? Date.now().toString(36);
const say = (text: string) => process.stdout.write(`${text}\n`);

say("1. Where we release");
const { data: before, etag } = await api.getEnvironments();
const kept = before.environments.filter(({ name }) => name !== "canary");
const canary = { name: "canary", isProduction: false, requiresReview: false, requiresReleasePipeline: false };
const { data: set } = await api.updateEnvironments({ body: { environments: [...kept, canary] }, ifMatch: etag });
say(`   environments: ${set.environments.map(({ name }) => name).join(", ")}`);

say("2. Who releases, and for whom");
const { data: team } = await api.createTeam({ body: { name: `Checkout ${run}`, members: ["ann@example.com"] } });

const { data: segment } = await api.createSegment({
  body: {
    name: `Beta users ${run}`,
    type: "rule_based",
    description: "Who asked for early access.",
    rules: [
      { name: "asked", passPercentage: 100, conditions: [{ type: "custom_field", field: "beta", operator: "any", targetValue: ["yes"] }] },
    ],
  },
});
say(`   team ${team.name}, segment ${segment.id}`);

say("3. The gate, closed at first");
const { data: gate } = await api.createGate({ body: { name: `New checkout ${run}`, team: team.name, tags: ["checkout"] } });
say(`   ${gate.id}: ${gate.status}, ${gate.rules.length} rules, version ${gate.version}`);

say("4. Open it, rule by rule");
const { data: opened } = await api.updateGate({
  path: { id: gate.id },
  body: {
    isEnabled: true,
    description: "The one-page checkout.",
    rules: [
      { name: "Staff", passPercentage: 100, conditions: [{ type: "email", operator: "str_contains_any", targetValue: ["@example.com"] }] },
      { name: "Beta", passPercentage: 100, conditions: [{ type: "passes_segment", targetValue: segment.id }] },
      { name: "Named", passPercentage: 100, conditions: [{ type: "user_id", operator: "any", targetValue: ["user-1", "user-2"] }] },
      { name: "Recent apps", passPercentage: 50, conditions: [{ type: "app_version", operator: "version_gt", targetValue: "2.4.0" }] },
      {
        name: "Chrome on Windows in the canary",
        passPercentage: 25,
        conditions: [
          { type: "browser_name", operator: "any", targetValue: ["Chrome"] },
          { type: "os_name", operator: "none", targetValue: ["Android", "iOS"] },
          { type: "environment_tier", operator: "any", targetValue: ["canary"] },
        ],
      },
      { name: "Loyal", passPercentage: 10, conditions: [{ type: "custom_field", field: "orders", operator: "gt", targetValue: 10 }] },
      {
        name: "Company",
        passPercentage: 5,
        conditions: [{ type: "unit_id", customID: "companyID", operator: "any", targetValue: ["c-7"] }],
      },
    ],
  },
});
say(`   ${opened.rules.map(({ name, passPercentage }) => `${name} ${passPercentage}%`).join(", ")}`);

say("5. What the new checkout needs to know");
const { data: config } = await api.createDynamicConfig({
  body: {
    name: `Checkout settings ${run}`,
    schemaJson5: "{ type: 'object', properties: { steps: { type: 'integer', minimum: 1 } }, required: ['steps'] }",
    defaultValue: { steps: 4 },
    rules: [
      { name: "new", passPercentage: 100, conditions: [{ type: "passes_gate", targetValue: gate.id }], returnValueJson5: "{ steps: 1 }" },
    ],
  },
});
const { data: references } = await api.listGateDynamicConfigReferences({ path: { id: gate.id } });
say(`   ${references.map(({ id }) => id).join(", ")} refers to ${gate.id}`);
const mistake = await api.patchDynamicConfig({ path: { id: config.id }, body: { defaultValue: { steps: "one" } } }).catch((error) => error);
if (mistake instanceof ConsoleApiError)
  say(`   refused: ${mistake.errors.map(({ property, errorMessage }) => `${property} ${errorMessage}`)}`);

say("6. A layer for what we test next");
const { data: layer } = await api.createLayer({ body: { name: `Checkout tests ${run}`, idType: "userID" } });
const { data: experiment } = await api.createExperiment({
  body: { name: `Button colour ${run}`, layerID: layer.id, hypothesis: "A green button is pressed more often." },
});
const { data: overrides } = await api.patchLayerOverrides({
  path: { id: layer.id },
  body: {
    op: "add",
    conditionalOverrides: [{ type: "segment", name: segment.id, experimentName: experiment.id, groupName: "Test" }],
    idOverrides: [{ groupName: "Control", ids: ["user-1"], idType: "userID", environment: "development", experimentName: experiment.id }],
  },
});
say(`   ${overrides.conditionalOverrides.length} conditional override, ${overrides.idOverrides.length} id override on ${layer.id}`);

say("7. The application reports what happens");
const eventName = `checkout_done_${run}`;
const done = (userID: string) => ({ eventName, user: { userID }, value: "29.90", metadata: { cart: "3" }, time: Date.now() });
await application.logEvent({ body: { events: [done("user-1"), done("user-2"), done("user-3")] } });
const { data: events, pagination } = await api.listEventValues({ path: { eventName }, query: { limit: 2 } });
say(`   ${pagination.totalItems} events, the last by ${events[0]?.userID}`);

say("8. Out of use, and back");
// The dynamic config still asks for the gate, so that archiving it has to be forced.
const archiving = { archiveReason: "Everybody has the new checkout.", forceArchive: true };
const { data: archived } = await api.archiveGate({ path: { id: gate.id }, body: archiving });
const { data: returned } = await api.unarchiveGate({ path: { id: gate.id }, body: { unarchiveReason: "Not everybody, it seems." } });
say(`   ${archived.status}, then ${returned.status} with ${returned.rules.length} rules, version ${returned.version}`);

let count = 0;
for await (const { tags } of pages(api.listGates, { query: { limit: 50 } })) if (tags.includes("checkout")) count += 1;
say(`Done: ${count} gate${count === 1 ? "" : "s"} of the checkout on ${baseUrl}`);
