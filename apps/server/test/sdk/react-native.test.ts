import type { WritableSchema } from "@gatehouse/contract/console";
import type { User } from "@gatehouse/evaluation";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recentUsers } from "../../src/evaluation/events/recent-users-store.ts";
import { makeKey } from "../support/keys.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";
import { reactNativeApp } from "./support/react-native.ts";

// An app with the SDK for React Native, which reports the device beside the user.

type Condition = WritableSchema<"Condition">;

/** The values that the SDK's binding reads on an iPhone. */
const DEVICE = {
  appVersion: "5.2.0",
  systemName: "iOS",
  systemVersion: "18.6.1",
  deviceModelName: "iPhone 15",
  deviceModel: "iPhone15,4",
  locale: "de_DE",
};

/** A condition on each field that the device reports, and users who say something else. */
const FIELDS: { condition: Condition; others: User[] }[] = [
  { condition: { type: "app_version", operator: "version_gte", targetValue: "5.2" }, others: [{ appVersion: "5.1" }] },
  { condition: { type: "os_name", operator: "any", targetValue: ["iOS"] }, others: [{ custom: { os_name: "Android" } }] },
  { condition: { type: "os_version", operator: "version_gte", targetValue: "18" }, others: [{ custom: { os_version: "17.4" } }] },
  { condition: { type: "device_model", operator: "any", targetValue: ["iPhone15,4"] }, others: [{ custom: { deviceModel: "Pixel 9" } }] },
  { condition: { type: "locale", operator: "str_starts_with_any", targetValue: ["de"] }, others: [{ locale: "fr_FR" }] },
];
const ANDROID = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Mobile Safari/537.36";

let server: TestServer;
let app: Awaited<ReturnType<Awaited<ReturnType<typeof reactNativeApp>>["startApp"]>>;
beforeAll(async () => {
  server = await startServer();
  for (const { condition } of FIELDS) {
    await server.client.createGate({
      body: { name: condition.type, rules: [{ name: "device", passPercentage: 100, conditions: [condition] }] },
    });
  }
  const { key: clientKey } = await makeKey(server, { type: "CLIENT" });
  const { startApp } = await reactNativeApp();
  app = await startApp({ url: server.url, clientKey, user: { userID: "first" } }, DEVICE);
  await waitFor(async () => expect(await app.gate("locale", { userID: "first" })).toBe(true));
});
afterAll(async () => {
  await app.sdk.shutdown();
  await server.close();
});

describe("an app with @statsig/react-native-core", () => {
  test.each(FIELDS)("matches a rule on $condition.type by the device, unless the user says otherwise", async ({ condition, others }) => {
    expect(await app.gate(condition.type, { userID: "alice" })).toBe(true);
    for (const other of others) expect(await app.gate(condition.type, { userID: "alice", ...other })).toBe(false);
  });

  test("takes the operating system from the user's own user agent", async () => {
    const user = { userID: "alice", userAgent: ANDROID };
    expect(await app.gate("os_name", user)).toBe(false);
    expect(await app.gate("os_version", user)).toBe(false);
    expect(await app.gate("device_model", user)).toBe(true);
  });

  test("reports exposures whose users have the device's fields, so that previews of rules count them", async () => {
    await app.gate("device_model", { userID: "seen", custom: { plan: "pro" } });
    await app.sdk.flush();
    await waitFor(async () =>
      expect(await recentUsers(server.database.db, "default", ["device_model"], 100)).toContainEqual(
        expect.objectContaining({
          userID: "seen",
          fields: {
            locale: "de_DE",
            appVersion: "5.2.0",
            custom: { plan: "pro", deviceModel: "iPhone15,4", os_name: "iOS", os_version: "18.6.1" },
          },
        }),
      ),
    );
  });
});
