import { OFREPProvider } from "@openfeature/ofrep-provider";
import { OpenFeature } from "@openfeature/server-sdk";
import { toContext } from "./openfeature-context.ts";
import type { Application, Sdk } from "./sdk.ts";

/** OpenFeature's server SDK. Each evaluation is one request, and the server logs the exposure. */
export const openFeatureServer: Sdk = {
  name: "@openfeature/server-sdk with @openfeature/ofrep-provider",
  async start({ url, serverKey }): Promise<Application> {
    await OpenFeature.setProviderAndWait(new OFREPProvider({ baseUrl: url, headers: [["Authorization", `Bearer ${serverKey}`]] }));
    const client = OpenFeature.getClient();
    const config: Application["config"] = async (name, user) => {
      const { value, flagMetadata } = await client.getObjectDetails(name, {}, toContext(user));
      return { value, ruleID: String(flagMetadata.ruleID) };
    };
    return {
      async gate(name, user) {
        const { value, flagMetadata } = await client.getBooleanDetails(name, false, toContext(user));
        return { value, ruleID: String(flagMetadata.ruleID) };
      },
      config,
      experiment: config,
      async layer(name, user, parameter) {
        const { value, ruleID } = await config(name, user);
        return { value: (value as Record<string, unknown>)[parameter], ruleID };
      },
      flush: async () => {},
      stop: () => OpenFeature.clearProviders(),
    };
  },
};
