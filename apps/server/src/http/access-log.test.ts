import { expect, test } from "vitest";
import { loggablePath } from "./access-log.ts";

test.each([
  ["/console/v1/keys/console-0123456789abcdef/rotate", "/console/v1/keys/console-…/rotate"],
  ["/v1/download_config_specs/secret-4mQ2vR8xWcN6yLbZ1kTd7sPf.json", "/v1/download_config_specs/secret-….json"],
  ["/v1/download_config_specs/s%65cret%2D4mQ2vR8xWcN6yLbZ1kTd7sPf.json", "/v1/download_config_specs/secret-….json"],
  ["/v2/download_config_specs/client-with-hyphens_and-more.json", "/v2/download_config_specs/client-….json"],
])("a key in %s is not shown", (path, shown) => {
  expect(loggablePath(path)).toBe(shown);
});

test.each(["/console/v1/gates/client-checkout", "/console/v1/keys/key_8dWnQ3xVbT6yLr2ZkPm5Hs", "/ofrep/v1/evaluate/flags/a%2Fb%"])(
  "%s is shown as it is",
  (path) => {
    expect(loggablePath(path)).toBe(path);
  },
);
