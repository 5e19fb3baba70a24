import { describe, expect, test } from "vitest";
import { redactKeys } from "./redact-keys.ts";

const RANDOM = "4mQ2vR8xWcN6yLbZ1kTd7sPf4mQ2vR8xWcN6yLbZ1kTd";

/** Percent-encodes every character, `times` times. */
function encode(text: string, times = 1): string {
  const once = [...text].map((character) => `%${character.charCodeAt(0).toString(16)}`).join("");
  return times === 1 ? once : encode(once, times - 1);
}

describe("redactKeys", () => {
  test.each([
    ["/console/v1/keys/console-0123456789abcdef/rotate", "/console/v1/keys/console-…/rotate"],
    [`/v1/download_config_specs/secret-${RANDOM}.json`, "/v1/download_config_specs/secret-….json"],
    ["/v2/download_config_specs/client-with-hyphens_and-more.json", "/v2/download_config_specs/client-….json"],
    [`/v1/download_config_specs/xsecret-${RANDOM}.json`, "/v1/download_config_specs/xsecret-….json"],
    [`/a_client-${RANDOM}x/b`, "/a_client-…/b"],
    [`/SECRET-${RANDOM}`, "/SECRET-…"],
    [`/v1/initialize?k=client-${RANDOM}&t=1`, "/v1/initialize?k=client-…&t=1"],
    [`fetch("http://127.0.0.1/?k=secret-${RANDOM}") failed`, 'fetch("http://127.0.0.1/?k=secret-…") failed'],
    [`/console-${RANDOM}/client-${RANDOM}`, "/console-…/client-…"],
  ])("a key in %s is not shown", (text, shown) => {
    expect(redactKeys(text)).toBe(shown);
  });

  test.each([
    [`/s%65cret%2D${RANDOM}.json`, "/secret-….json"],
    [`/s%65cret%2d${RANDOM}`, "/secret-…"],
    [`/a%2Fb/secret%252D${RANDOM}/c%2Fd`, "/a%2Fb/secret-…/c%2Fd"],
    [`/secret%25252D${RANDOM}?é=%C3%A9`, "/secret-…?é=%C3%A9"],
    [`/secret%%32%44${RANDOM}`, "/secret-…"],
    [`/x${encode("secret-0123456789abcdef")}/y`, "/xsecret-…/y"],
    [`/${encode("client-0123456789abcdef", 3)}/y`, "/client-…/y"],
    [`{"path":"/secret%2D${RANDOM}%22","status":200}`, '{"path":"/secret-…%22","status":200}'],
  ])("a percent-encoded key in %s is not shown, and the rest is as it was", (text, shown) => {
    expect(redactKeys(text)).toBe(shown);
  });

  test.each([
    "/console/v1/gates/client-checkout",
    "/console/v1/keys/key_8dWnQ3xVbT6yLr2ZkPm5Hs",
    "/ofrep/v1/evaluate/flags/a%2Fb%",
    "/%zz/%/%2",
    "100 %25 of client-side",
  ])("%s is shown as it is", (text) => {
    expect(redactKeys(text)).toBe(text);
  });

  test("a text that is encoded too often is not shown at all", () => {
    const nested = (times: number) => `/secret%${"25".repeat(times)}2D${RANDOM}`;
    expect(redactKeys(nested(7))).toBe("/secret-…");
    expect(redactKeys(nested(8))).toBe("(not shown: percent-encoded too often)");
    expect(redactKeys(nested(8_000))).toBe("(not shown: percent-encoded too often)");
    expect(JSON.parse(redactKeys(JSON.stringify({ path: nested(9), operation: "none" })))).toEqual({
      path: "(not shown: percent-encoded too often)",
      operation: "none",
    });
  });
});
