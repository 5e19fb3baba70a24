import type { ConsoleClient } from "@gatehouse/client";
import type { WritableSchema } from "@gatehouse/contract/console";
import { expect } from "vitest";
import { SETTINGS } from "../../support/autotunes.ts";
import { makeKey } from "../../support/keys.ts";
import { waitFor } from "../../support/wait-for.ts";
import type { Connection } from "./sdk.ts";

/** Ids of the entities that an application reads in the SDK tests. */
export type Flags = { gate: string; config: string; experiment: string; layer: string; autotune: string };

const FOR_PRO: WritableSchema<"GivenRule"> = {
  name: "pro",
  passPercentage: 100,
  conditions: [{ type: "custom_field", field: "plan", operator: "any", targetValue: ["pro"] }],
};

/**
 * Creates a gate, a dynamic config, an experiment, and a layer with an experiment, which all depend on the user's plan; and an autotune, whose
 * variants show their own ids.
 */
export async function makeFlags(client: ConsoleClient, suffix: string): Promise<Flags> {
  const { data: gate } = await client.createGate({ body: { name: `gate ${suffix}`, rules: [{ id: "gate_rule", ...FOR_PRO }] } });
  const { data: config } = await client.createDynamicConfig({
    body: {
      name: `config ${suffix}`,
      defaultValue: { steps: 4 },
      rules: [{ id: "config_rule", ...FOR_PRO, returnValue: { steps: 1 } }],
    },
  });
  const groups = (parameterValues: Record<string, unknown>) => [
    { id: "control", name: "Control", size: 0 },
    { id: "test", name: "Test", size: 100, parameterValues },
  ];
  const { data: experiment } = await client.createExperiment({
    body: { name: `experiment ${suffix}`, groups: groups({ label: "Buy" }), targetingGateID: gate.id },
  });
  const { data: layer } = await client.createLayer({
    body: {
      name: `layer ${suffix}`,
      idType: "userID",
      parameters: [{ name: "title", type: "string", defaultValue: "Checkout" }],
    },
  });
  const { data: onLayer } = await client.createExperiment({
    body: { name: `on layer ${suffix}`, layerID: layer.id, groups: groups({ title: "Pay" }), targetingGateID: gate.id },
  });
  const variants = ["blue", "green"].map((id) => ({ id, name: id, json: { color: id } }));
  const { data: autotune } = await client.createAutotune({ body: { ...SETTINGS, name: `autotune ${suffix}`, variants } });
  await client.startAutotune({ path: { id: autotune.id } });
  for (const { id } of [experiment, onLayer]) await client.startExperiment({ path: { id } });
  return { gate: gate.id, config: config.id, experiment: experiment.id, layer: layer.id, autotune: autotune.id };
}

/** Creates the keys of an application's servers and clients. */
export async function makeKeys(client: ConsoleClient): Promise<Pick<Connection, "serverKey" | "clientKey" | "rulesetKey">> {
  const make = async (type: "SERVER" | "CLIENT") => (await makeKey({ client }, { type })).key;
  const { key: rulesetKey } = await makeKey({ client }, { type: "CLIENT", scopes: ["client_download_config_specs"] });
  return { serverKey: await make("SERVER"), clientKey: await make("CLIENT"), rulesetKey };
}

/** Waits until the server's ruleset has the last change of `makeFlags`: the start of the experiment on the layer. */
export async function untilEvaluated({ layer }: Flags, { url, serverKey }: Pick<Connection, "url" | "serverKey">): Promise<void> {
  const headers = { "STATSIG-API-KEY": serverKey, "Content-Type": "application/json" };
  const body = JSON.stringify({
    layerName: layer,
    user: { userID: "first", custom: { plan: "pro" } },
    statsigMetadata: { exposureLoggingDisabled: true },
  });
  await waitFor(async () => {
    const response = await fetch(`${url}/v1/get_layer`, { method: "POST", headers, body });
    expect(await response.json()).toMatchObject({ ruleID: "test", value: { title: "Pay" } });
  });
}
