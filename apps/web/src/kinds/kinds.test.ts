import { descriptions, routes } from "@gatehouse/contract/console";
import { describe, expect, it } from "vitest";
import type { WebKind } from "./kind.ts";
import { AUDITED_TYPES, entityLabel, entityNoun, findHost, hasHistory, hasPage, isRestorable, kinds, pageRoute } from "./kinds.ts";

const LOADING_THE_SERVER_MS = 120_000;
const all: Readonly<Record<string, WebKind>> = kinds;

describe("the register of kinds", () => {
  it("has every kind of the server, and no other", { timeout: LOADING_THE_SERVER_MS }, async () => {
    // The path is computed: the console's types do not include the server's.
    const register = new URL("../../../server/src/console/kinds.ts", import.meta.url).href;
    const server = (await import(/* @vite-ignore */ register)) as { kinds: readonly { type: string }[] };
    expect(Object.keys(all).toSorted()).toEqual(server.kinds.map(({ type }) => type).toSorted());
  });

  it("assigns every operation that deletes an entity to its kind", () => {
    const deletions = Object.values(all).flatMap(({ deletedBy }) => deletedBy);
    const unassigned = Object.keys(routes).filter((id) => id.startsWith("delete") && !deletions.some((known) => known === id));
    expect(unassigned.toSorted()).toEqual(
      [
        // Parts of entities.
        ...["deleteDynamicConfigRule", "deleteGateRule", "deletePromptVersion"],
        // Not entities: the change log does not have them.
        ...["deletePasswordReset", "deleteSession", "deleteInvitation", "deletePasskey", "deleteTotp", "deletePersonSecondFactors"],
        // Data of many entities.
        "deleteUnitData",
        // Their pages stay.
        ...["deleteModelEndpoint", "deleteWarehouseConnection"],
      ].toSorted(),
    );
  });

  it("restores a version with the kind's operation, for people with its permission", () => {
    for (const { restore, versions } of Object.values(all)) {
      if (restore === null) continue;
      expect(`list${restore.operationId.slice("restore".length)}s`).toBe(versions);
      expect(descriptions[restore.operationId].permission).toBe(restore.permission);
    }
  });

  it("gives no shortcut and no address to two kinds", () => {
    const places = Object.values(all).flatMap(({ place }) => place ?? []);
    for (const property of ["path", "shortcut", "label"] as const)
      expect(new Set(places.map((place) => place[property])).size).toBe(places.length);
  });
});

describe("AUDITED_TYPES", () => {
  it("has every type but those of the server itself, whose changes no project lists", () => {
    expect(Object.keys(all).filter((type) => !(AUDITED_TYPES as readonly string[]).includes(type))).toEqual(["project", "person"]);
  });
});

describe("entityNoun and entityLabel", () => {
  it.each([
    ["dynamic_config", "dynamic config", "Dynamic config"],
    ["unit_id_type", "unit ID type", "Unit ID type"],
    ["gate_overrides", "overrides of the gate", "Overrides of the gate"],
    // An event of the audit log.
    ["pulse_load", "pulse load", "Pulse load"],
  ])("%s is a %s", (type, noun, label) => {
    expect([entityNoun(type), entityLabel(type)]).toEqual([noun, label]);
  });
});

describe("pages of entities", () => {
  it("has the address of each entity's page", () => {
    expect(pageRoute("entity_property_source")).toBe("/projects/$projectID/entity-properties/$id");
  });

  it.each([
    ["gate", true, true, true],
    ["role", true, false, false],
    ["prompt", true, true, false],
    ["tag", false, false, true],
    ["member", false, false, false],
    ["toString", false, false, false],
  ])("%s: page %s, history %s, restorable %s", (type, page, history, restorable) => {
    expect([hasPage(type), hasHistory(type), isRestorable(type)]).toEqual([page, history, restorable]);
  });

  it("finds the tab that shows an entity without a page", () => {
    expect(findHost("layer_overrides")).toEqual({ type: "layer", tab: "overrides" });
    expect(findHost("gate")).toBeUndefined();
  });
});
