import { describe, expect, test } from "vitest";
import { deviceFields, withDeviceFields } from "./device-fields.ts";

const fill = (user: object, metadata: object | null) => withDeviceFields(user, deviceFields(metadata as Record<string, unknown> | null));

describe("withDeviceFields", () => {
  test("fills each field by the first of its names that the SDK reports", () => {
    const device = {
      appVersion: "1",
      locale: "de",
      deviceModel: "iPhone15,4",
      deviceModelName: "iPhone 15",
      systemName: "iOS",
      deviceOS: "X",
    };
    expect(fill({}, device)).toEqual({ appVersion: "1", locale: "de", custom: { deviceModel: "iPhone15,4", os_name: "iOS" } });
    const names = { deviceModelName: "Pixel 9", deviceOS: "Android", systemVersion: "15" };
    expect(fill({}, names)).toEqual({ custom: { deviceModel: "Pixel 9", os_name: "Android", os_version: "15" } });
  });

  test("keeps what rules read of the user: a field, a custom or private one, or one in lower case", () => {
    const device = { appVersion: "1", deviceModel: "a", systemName: "iOS" };
    for (const user of [
      { appVersion: "2", custom: { deviceModel: "b", os_name: "x" } },
      { custom: { appVersion: "2", devicemodel: "b", os_name: null } },
      { privateAttributes: { appversion: "2", deviceModel: "b", os_name: "x" } },
    ])
      expect(fill(user, device)).toEqual(user);
    expect(fill({ appVersion: "", userAgent: "curl/8" }, device)).toEqual({
      ...{ appVersion: "1", userAgent: "curl/8" },
      custom: { deviceModel: "a" },
    });
  });

  test("returns the user if the metadata has no field that is a text", () => {
    const user = { userID: "alice" };
    for (const metadata of [null, {}, { sdkType: "js-client" }, { appVersion: 5, locale: "", deviceModel: null }])
      expect(fill(user, metadata)).toBe(user);
  });

  test("does not change the given user, for any shape of its custom fields", () => {
    const user = Object.freeze({ userID: "alice", custom: "text" });
    expect(fill(user, { systemName: "iOS", locale: "de" })).toEqual({ userID: "alice", locale: "de", custom: { os_name: "iOS" } });
  });
});
