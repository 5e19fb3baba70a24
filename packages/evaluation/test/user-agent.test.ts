import { describe, expect, test } from "vitest";
import { userAgentField } from "../src/user-agent.ts";
import { hasSharedData, needsSharedData, sharedJSON } from "./support/shared-data.ts";

function read(userAgent: string) {
  const [osName, osVersion, browserName, browserVersion] = ["os_name", "os_version", "browser_name", "browser_version"].map((field) =>
    userAgentField(field)(userAgent),
  );
  return { osName, osVersion, browserName, browserVersion };
}

describe("user agents that the newer SDK generation is tested with", needsSharedData, () => {
  const cases = hasSharedData ? Object.entries(sharedJSON("core_ua_string_cases.json")) : [];
  test.each(cases)("reads %s as it does", (userAgent, expected) => {
    expect(read(userAgent)).toEqual(expected);
  });
});

describe("a user agent", () => {
  const chrome = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

  test("tells system and browser, with their versions", () => {
    expect(read(chrome)).toEqual({ osName: "Windows", osVersion: "10", browserName: "Chrome", browserVersion: "140.0.0.0" });
    const safari =
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1";
    expect(read(safari)).toEqual({ osName: "iOS", osVersion: "17.5", browserName: "Mobile Safari", browserVersion: "17.5" });
  });

  test("that is not recognised is Other, of version 0.0.0", () => {
    for (const userAgent of ["", "something else"]) {
      expect(read(userAgent)).toEqual({ osName: "Other", osVersion: "0.0.0", browserName: "Other", browserVersion: "0.0.0" });
    }
  });

  test("is read for fields in any case, with or without the underscore, and for no others", () => {
    for (const field of ["os_name", "OSName", "osname"]) expect(userAgentField(field)(chrome)).toBe("Windows");
    expect(userAgentField("device")(chrome)).toBeUndefined();
  });

  test("is not read when it is over 1000 characters long", () => {
    expect(userAgentField("os_name")(chrome.padEnd(1000))).toBe("Windows");
    expect(userAgentField("os_name")(chrome.padEnd(1001))).toBeUndefined();
  });

  test("is read again as before once many others were", () => {
    for (let index = 0; index < 1100; index++) userAgentField("browser_name")(`Agent ${index}`);
    expect(read(chrome).browserName).toBe("Chrome");
  });
});
