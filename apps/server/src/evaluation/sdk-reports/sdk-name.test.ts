import { expect, test } from "vitest";
import { readSdkName } from "./sdk-name.ts";

const metadata = { sdkType: "javascript-client", sdkVersion: "3.33.5" };

test("an SDK names itself in headers, in the query or in the body, in this order", () => {
  const headers = { "statsig-sdk-type": "statsig-node", "statsig-sdk-version": "6.5.2", "user-agent": "node" };
  const query = new URLSearchParams({ st: "js-mono", sv: "3.0.0" });
  expect(readSdkName({ headers, query, metadata, isOfrep: false })).toEqual({ sdk: "statsig-node", version: "6.5.2" });
  expect(readSdkName({ headers: {}, query, metadata, isOfrep: false })).toEqual({ sdk: "js-mono", version: "3.0.0" });
  expect(readSdkName({ headers: {}, metadata, isOfrep: false })).toEqual({ sdk: "javascript-client", version: "3.33.5" });
});

test.each([
  ["gatehouse-client/0.1.0", false, { sdk: "gatehouse-client", version: "0.1.0" }],
  ["Go-http-client/2.0", true, { sdk: "ofrep/Go-http-client", version: "2.0" }],
  ["Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0", true, { sdk: "ofrep/browser", version: "" }],
  ["node", true, { sdk: "ofrep/node", version: "" }],
  [undefined, false, { sdk: "other", version: "" }],
  ["(anything)", false, { sdk: "other", version: "" }],
])("a caller without an SDK has the name of its user agent's first product: %s", (userAgent, isOfrep, name) => {
  expect(readSdkName({ headers: { "user-agent": userAgent }, isOfrep })).toEqual(name);
});

test.each([
  ["x".repeat(61), "1", { sdk: "other", version: "" }],
  ["<script>", "1", { sdk: "other", version: "" }],
  ["a\n", "1", { sdk: "other", version: "" }],
  ["statsig-go", "1".repeat(41), { sdk: "statsig-go", version: "" }],
  ["statsig-go", { toString: 1 }, { sdk: "statsig-go", version: "" }],
])("names and versions that are too long or unusual are left out: %s", (sdkType, sdkVersion, name) => {
  expect(readSdkName({ headers: {}, metadata: { sdkType, sdkVersion }, isOfrep: false })).toEqual(name);
});
