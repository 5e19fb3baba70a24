import type { User } from "@gatehouse/evaluation";
import { type StatsigUser as ClientUser, LogLevel, StatsigClient, type StatsigOptions } from "@statsig/js-client";
import { _setupStatsigForReactNative as setUp } from "@statsig/react-native-core";
import type { Connection } from "../support/sdk.ts";

type Start = Pick<Connection, "url" | "clientKey" | "user">;

/** Starts an app, as the binding for React Native does. @param device the binding's values of the device */
export async function startApp({ url, clientKey, user }: Start, device: Record<string, string>) {
  const options: StatsigOptions = { networkConfig: { api: `${url}/v1` }, loggingEnabled: "always", logLevel: LogLevel.None };
  setUp("rn", device, options);
  const sdk = new StatsigClient(clientKey, user as ClientUser, options);
  await sdk.initializeAsync();
  return {
    sdk,
    /** The gate of another user of the app. */
    async gate(name: string, other: User) {
      await sdk.updateUserAsync(structuredClone(other) as ClientUser);
      return sdk.checkGate(name);
    },
  };
}
