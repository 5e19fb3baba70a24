// Reads a gate with OpenFeature, and says whenever it is another:
//   GATEHOUSE_KEY=secret-… npx --yes pnpm@12 --filter examples read-flags-openfeature [GATE] [USER]
import { setTimeout } from "node:timers/promises";
import { OFREPProvider } from "@openfeature/ofrep-provider";
import { OpenFeature } from "@openfeature/server-sdk";

const baseUrl = process.env.GATEHOUSE_URL ?? "http://127.0.0.1:4000";
const key = process.env.GATEHOUSE_KEY ?? "";
const [gate = "new_checkout", targetingKey = "alice"] = process.argv.slice(2);

await OpenFeature.setProviderAndWait(new OFREPProvider({ baseUrl, headers: [["Authorization", `Bearer ${key}`]] }));
const client = OpenFeature.getClient();

let last = "";
for (;;) {
  const { value, variant, reason, errorMessage } = await client.getBooleanDetails(gate, false, { targetingKey, plan: "pro" });
  const text = `${gate} is ${value} for ${targetingKey} (${errorMessage ?? [reason, variant].filter(Boolean).join(", ")})`;
  if (text !== last) process.stdout.write(`${text}\n`);
  last = text;
  await setTimeout(500);
}
