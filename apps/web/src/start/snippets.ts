import type { SDK } from "./sdks.ts";

// Programs that read one gate, each complete: the packages to install, and the code to paste. Pure.

export type KeyType = "SERVER" | "CLIENT";

/** The values filled into a snippet. @param url without a slash at its end */
export type Given = { url: string; key: string; gate: string };
export type Snippet = {
  /** The command that installs the packages, if any. */
  install: string | undefined;
  /** The place of the code, in words; undefined for a terminal. */
  place: string | undefined;
  code: string;
};

type Description = { name: string; needs: KeyType; packages: readonly string[]; code: (given: Given) => string };

/** These programs ask for a user called alice. */
const USER = "alice";
const IN_NODE = "Save it as flags.mjs, then run: node flags.mjs";
const IN_BROWSER = "Add it to your web app.";

/** A text as a literal of JavaScript. */
const js = (text: string): string => JSON.stringify(text);
/** A text as one word of a shell. */
const shell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const DESCRIPTIONS: Record<SDK, Description> = {
  curl: {
    name: "curl",
    needs: "SERVER",
    packages: [],
    code: ({ url, key, gate }) => `curl -X POST ${shell(`${url}/ofrep/v1/evaluate/flags/${encodeURIComponent(gate)}`)} \\
  -H ${shell(`Authorization: Bearer ${key}`)} \\
  -H 'Content-Type: application/json' \\
  -d '{"context": {"targetingKey": "${USER}"}}'`,
  },
  "openfeature-server": {
    name: "OpenFeature on a server",
    needs: "SERVER",
    packages: ["@openfeature/server-sdk", "@openfeature/core", "@openfeature/ofrep-provider"],
    code: ({ url, key, gate }) => `import { OFREPProvider } from "@openfeature/ofrep-provider";
import { OpenFeature } from "@openfeature/server-sdk";

await OpenFeature.setProviderAndWait(
  new OFREPProvider({ baseUrl: ${js(url)}, headers: [["Authorization", ${js(`Bearer ${key}`)}]] }),
);
const isOn = await OpenFeature.getClient().getBooleanValue(${js(gate)}, false, { targetingKey: "${USER}" });
console.log(isOn);`,
  },
  "openfeature-web": {
    name: "OpenFeature in a web page",
    needs: "CLIENT",
    packages: ["@openfeature/web-sdk", "@openfeature/core", "@openfeature/ofrep-web-provider"],
    code: ({ url, key, gate }) => `import { OFREPWebProvider } from "@openfeature/ofrep-web-provider";
import { OpenFeature } from "@openfeature/web-sdk";

const baseUrl = ${js(url)};
const key = ${js(key)};

// The provider reads all flags at once, so only the page knows which ones it used. This hook reports them.
OpenFeature.addHooks({
  after({ flagKey, context }, { value, flagMetadata }) {
    const metadata = { gate: flagKey, gateValue: String(value), ruleID: String(flagMetadata.ruleID ?? "") };
    const event = { eventName: "statsig::gate_exposure", user: { userID: context.targetingKey }, time: Date.now(), metadata };
    void fetch(\`\${baseUrl}/v1/log_event?k=\${key}\`, { method: "POST", body: JSON.stringify({ events: [event] }) });
  },
});

await OpenFeature.setProviderAndWait(
  new OFREPWebProvider({ baseUrl, headers: [["Authorization", \`Bearer \${key}\`]] }),
  { targetingKey: "${USER}" },
);
console.log(OpenFeature.getClient().getBooleanValue(${js(gate)}, false));`,
  },
  "statsig-node-core": {
    name: "@statsig/statsig-node-core",
    needs: "SERVER",
    packages: ["@statsig/statsig-node-core"],
    code: ({ url, key, gate }) => `import { Statsig, StatsigUser } from "@statsig/statsig-node-core";

const url = ${js(url)};
const sdk = new Statsig(${js(key)}, {
  specsUrl: \`\${url}/v2/download_config_specs\`,
  logEventUrl: \`\${url}/v1/log_event\`,
  idListsUrl: \`\${url}/v1/get_id_lists\`,
  enableIdLists: true,
});
await sdk.initialize();
console.log(sdk.checkGate(new StatsigUser({ userID: "${USER}" }), ${js(gate)}));
await sdk.shutdown();`,
  },
  "statsig-node": {
    name: "statsig-node",
    needs: "SERVER",
    packages: ["statsig-node"],
    code: ({ url, key, gate }) => `import statsig from "statsig-node";

await statsig.initialize(${js(key)}, { api: ${js(`${url}/v1`)} });
console.log(statsig.checkGate({ userID: "${USER}" }, ${js(gate)}));
await statsig.shutdownAsync();`,
  },
  "statsig-js-client": {
    name: "@statsig/js-client",
    needs: "CLIENT",
    packages: ["@statsig/js-client"],
    code: ({ url, key, gate }) => `import { StatsigClient } from "@statsig/js-client";

const sdk = new StatsigClient(${js(key)}, { userID: "${USER}" }, { networkConfig: { api: ${js(`${url}/v1`)} } });
await sdk.initializeAsync();
console.log(sdk.checkGate(${js(gate)}));
await sdk.flush();`,
  },
};

export const sdkName = (sdk: SDK): string => DESCRIPTIONS[sdk].name;

/** SDKs that evaluate in their own process. Rules reveal the users they target, so a client key does not read them. */
const DOWNLOADS: readonly SDK[] = ["statsig-node-core", "statsig-node"];

/** The key type that an SDK needs: users of a web page can read its key. */
export const requiredKeyType = (sdk: SDK): KeyType => DESCRIPTIONS[sdk].needs;

export function createSnippet(sdk: SDK, given: Given): Snippet {
  const { packages, needs, code } = DESCRIPTIONS[sdk];
  return {
    install: packages.length === 0 ? undefined : `npm install ${packages.join(" ")}`,
    place: packages.length === 0 ? undefined : needs === "CLIENT" ? IN_BROWSER : IN_NODE,
    code: code(given),
  };
}

/** Why a key does not fit an SDK; undefined if it does. */
export function misfit(sdk: SDK, key: string): string | undefined {
  if (requiredKeyType(sdk) === "CLIENT" && !key.startsWith("client-"))
    return "This SDK runs where users can see its key, so it needs a client key.";
  if (DOWNLOADS.includes(sdk) && key.startsWith("client-")) return "This SDK downloads the rules, so it needs a server key.";
  return undefined;
}
