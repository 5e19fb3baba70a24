// Lives through three experiments that share a layer, and shows the changes of its buckets:
//   GATEHOUSE_CONSOLE_KEY=console-… npx --yes pnpm@12 --filter examples experiment [SUFFIX]
import { ConsoleApiError, createConsoleClient, pages } from "@gatehouse/client";

const baseUrl = process.env.GATEHOUSE_URL ?? "http://127.0.0.1:4000";
const apiKey = process.env.GATEHOUSE_CONSOLE_KEY ?? "";
const api = createConsoleClient({ baseUrl, apiKey });

/** Ends the names, so that the program can be run again on the same server. */
const run = process.argv[2] ?? Date.now().toString(36);
const say = (text: string) => process.stdout.write(`${text}\n`);

say("1. A layer: what the checkout's experiments share");
const { data: layer } = await api.createLayer({
  body: {
    name: `Checkout page ${run}`,
    idType: "userID",
    parameters: [
      { name: "button_color", type: "string", defaultValue: "blue" },
      { name: "free_shipping_from", type: "number", defaultValue: 50 },
    ],
  },
});
say(`   ${layer.id}: ${layer.parameters.map(({ name, defaultValue }) => `${name} ${defaultValue}`).join(", ")}`);

/** How many buckets each experiment of the layer holds, and whether one is held twice. */
async function showBuckets() {
  const held: number[] = [];
  const lines: string[] = [];
  for await (const { name, status, userBuckets } of pages(api.listExperiments, { query: { layerID: layer.id } })) {
    held.push(...userBuckets);
    lines.unshift(`${name} ${userBuckets.length} (${status})`);
  }
  say(`   buckets: ${lines.join(", ")}; free ${1000 - held.length}, held twice ${held.length - new Set(held).size}`);
}

say("2. Two experiments on it");
const { data: color } = await api.createExperiment({
  body: {
    name: `Button ${run}`,
    layerID: layer.id,
    allocation: 60,
    hypothesis: "A green button is pressed more often.",
    groups: [
      { id: "blue", name: "Control", size: 50 },
      { id: "green", name: "Green", size: 50, parameterValues: { button_color: "green" } },
    ],
  },
});
const { data: shipping } = await api.createExperiment({
  body: {
    name: `Shipping ${run}`,
    layerID: layer.id,
    allocation: 30,
    hypothesis: "Who sees a lower limit buys more.",
    groups: [
      { id: "fifty", name: "Control", size: 34 },
      { id: "forty", name: "Forty", size: 33, parameterValues: { free_shipping_from: 40 } },
      { id: "thirty", name: "Thirty", size: 33, parameterValues: { free_shipping_from: 30 } },
    ],
  },
});
await showBuckets();

say("3. Both start");
await api.startExperiment({ path: { id: color.id } });
await api.startExperiment({ path: { id: shipping.id } });
await showBuckets();

say("4. A third wants more than is left");
const { data: both } = await api.createExperiment({ body: { name: `Both ${run}`, layerID: layer.id, allocation: 50 } });
const refused = await api.startExperiment({ path: { id: both.id } }).catch((error) => error);
if (refused instanceof ConsoleApiError) say(`   refused: ${refused.message}`);

say("5. Green wins: everyone gets it, and its buckets are free");
const decision = { id: "green", decisionReason: "Pressed 6 percent more often." };
const dry = await api.makeExperimentDecision({ path: { id: color.id }, query: { dryRun: true }, body: decision });
for (const { entityType, fields } of dry.changes ?? [])
  say(`   would change the ${entityType}: ${fields.map(({ field }) => field).join(", ")}`);
await api.makeExperimentDecision({ path: { id: color.id }, body: decision });
const { data: shipped } = await api.getLayer({ path: { id: layer.id } });
say(`   ${layer.id}: ${shipped.parameters.map(({ name, defaultValue }) => `${name} ${defaultValue}`).join(", ")}`);
await showBuckets();

say("6. The third starts, and the second grows without moving anyone");
await api.startExperiment({ path: { id: both.id } });
const { data: small } = await api.getExperiment({ path: { id: shipping.id } });
const { data: large } = await api.patchExperiment({ path: { id: shipping.id }, body: { allocation: 45 } });
say(
  `   of its ${small.userBuckets.length} buckets it keeps ${small.userBuckets.filter((bucket) => large.userBuckets.includes(bucket)).length}`,
);
await showBuckets();
