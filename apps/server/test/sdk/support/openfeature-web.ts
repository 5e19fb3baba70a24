import { OFREPWebProvider } from "@openfeature/ofrep-web-provider";
import { OpenFeature } from "@openfeature/web-sdk";
import { EventSource } from "eventsource";
import { toContext } from "./openfeature-context.ts";
import { logExposures } from "./openfeature-exposures.ts";
import type { Application, Sdk } from "./sdk.ts";

/** OpenFeature's web SDK. It fetches all flags of one user at once, and again after each event of the server's stream. */
export const openFeatureWeb: Sdk = {
  name: "@openfeature/web-sdk with @openfeature/ofrep-web-provider",
  async start({ url, clientKey, user: first }): Promise<Application> {
    // Node does not enable EventSource yet.
    Object.assign(globalThis, { EventSource });
    const provider = new OFREPWebProvider({
      baseUrl: url,
      headers: [["Authorization", `Bearer ${clientKey}`]],
      cacheMode: "disabled",
    });
    await OpenFeature.setProviderAndWait(provider, toContext(first));
    const exposures = logExposures(url, clientKey);
    const client = OpenFeature.getClient().addHooks(exposures.hook);
    let current = first;
    const become = async (user: typeof first) => {
      if (user === current) return;
      current = user;
      await OpenFeature.setContext(toContext(user));
    };
    const config: Application["config"] = async (name, user) => {
      await become(user);
      const { value, flagMetadata } = client.getObjectDetails(name, {});
      return { value, ruleID: String(flagMetadata.ruleID) };
    };
    return {
      async gate(name, user) {
        await become(user);
        const { value, flagMetadata } = client.getBooleanDetails(name, false);
        return { value, ruleID: String(flagMetadata.ruleID) };
      },
      config,
      experiment: config,
      async layer(name, user, parameter) {
        const { value, ruleID } = await config(name, user);
        return { value: (value as Record<string, unknown>)[parameter], ruleID };
      },
      flush: exposures.flush,
      stop: () => OpenFeature.clearProviders(),
    };
  },
};
