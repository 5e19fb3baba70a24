import { createElement, useEffect } from "react";
import { createRoot, type Root } from "react-dom/client";
import { Statsig, StatsigProvider, useConfig, useExperiment, useFeatureGate, useLayer } from "statsig-react";
import type { Answer, Connection } from "../support/sdk.ts";
import type { Page } from "./page.ts";

// A page whose script is bundled for a browser. Components read all values with the SDK's hooks.

type User = Connection["user"];

let root: Root;
let provider: Parameters<typeof StatsigProvider>[0];

let reads = 0;

type Reading = { read: () => Answer; onRead: (answer: Answer) => void };

function Reader({ read, onRead }: Reading) {
  const answer = read();
  useEffect(() => onRead(answer));
  return null;
}

/** Renders a component that reads with a hook. @returns the value that it read */
function render(read: () => Answer): Promise<Answer> {
  reads += 1;
  return new Promise((onRead) => {
    root.render(createElement(StatsigProvider, provider, createElement(Reader, { key: reads, read, onRead })));
  });
}

async function readFor(user: User, read: () => Answer): Promise<Answer> {
  await Statsig.updateUser(user as typeof provider.user);
  return render(read);
}

const page: Page = {
  async start({ url, clientKey, user }) {
    const { document } = globalThis as unknown as { document: { body: Parameters<typeof createRoot>[0] } };
    root = createRoot(document.body);
    const options = { api: `${url}/v1` };
    provider = { sdkKey: clientKey, user: user as typeof provider.user, options, waitForInitialization: true, children: null };
    // With `waitForInitialization`, rendering waits for the values.
    await render(() => ({ value: null, ruleID: "" }));
  },
  gate: (name, user) =>
    readFor(user, () => {
      const { gate } = useFeatureGate(name);
      return { value: gate.getValue(), ruleID: gate.getRuleID() };
    }),
  config: (name, user) =>
    readFor(user, () => {
      const { config } = useConfig(name);
      return { value: config.value, ruleID: config.getRuleID() };
    }),
  experiment: (name, user) =>
    readFor(user, () => {
      const { config } = useExperiment(name);
      return { value: config.value, ruleID: config.getRuleID() };
    }),
  layer: (name, user, parameter) =>
    readFor(user, () => {
      const { layer } = useLayer(name);
      return { value: layer.get<unknown>(parameter, null), ruleID: layer.getRuleID() };
    }),
  async flush() {
    Statsig.flushEvents();
  },
  async stop() {
    Statsig.shutdown();
  },
};
Object.assign(globalThis, { page });
