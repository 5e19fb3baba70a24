import { expect, test } from "vitest";
import { permissionsOf } from "./scheduled-change.ts";

test("a change needs the permissions of the operations that it calls, each once", () => {
  expect(permissionsOf({ operationId: "enableGate", body: null })).toEqual(["launch_or_disable_configs"]);
  const requests = [{ operationId: "enableGate" }, { operationId: "createTag" }, { operationId: "disableGate" }];
  expect(permissionsOf({ operationId: "batch", body: { requests } })).toEqual(["launch_or_disable_configs", "create_configs"]);
});
