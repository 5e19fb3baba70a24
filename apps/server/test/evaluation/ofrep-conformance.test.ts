import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { needs, sharedData } from "../support/needs.ts";
import { evaluate, evaluateAll, untilSeen } from "../support/ofrep.ts";
import { startServer, type TestServer } from "../support/server.ts";

const read = (name: string) => JSON.parse(readFileSync(new URL(`openfeature/${name}`, sharedData), "utf8"));

type SpecFlag = {
  disabled?: boolean;
  variants: Record<string, unknown>;
  defaultVariant?: string | null;
  contextEvaluator?: string;
};

const isBallmer = [{ type: "email" as const, operator: "any" as const, targetValue: ["ballmer@macrosoft.com"] }];

/** Only boolean and object flags exist here; strings and numbers are fields of objects. */
function isExpressible({ variants, defaultVariant }: SpecFlag): boolean {
  return defaultVariant != null && Object.values(variants).every((value) => typeof value === "boolean" || typeof value === "object");
}

describe("OFREP 0.3.0", needs.sharedData, () => {
  let server: TestServer;
  let validate: (name: string, value: unknown) => void;
  let flags: [string, SpecFlag][];

  beforeAll(async () => {
    server = await startServer();
    const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(read("ofrep-schemas-patched.json"), "ofrep");
    validate = (name, value) => {
      const check = ajv.getSchema(`ofrep#/components/schemas/${name}`);
      expect(check?.(value), `${JSON.stringify(value)}: ${JSON.stringify(check?.errors)}`).toBe(true);
    };
    flags = Object.entries(read("spec-test-flags.json") as Record<string, SpecFlag>).filter(([, flag]) => isExpressible(flag));
    for (const [id, flag] of flags) await make(id, flag);
    for (const [id] of flags) await untilSeen(server, id);
  });
  afterAll(() => server.close());

  async function make(id: string, { variants, defaultVariant, disabled = false, contextEvaluator }: SpecFlag) {
    const value = variants[defaultVariant as string];
    const body = { id, name: id, isEnabled: !disabled };
    const targeted = { name: "zero", conditions: isBallmer };
    if (typeof value === "boolean") {
      // A gate is false if no rule passes.
      const everyone = value ? [{ name: defaultVariant as string, passPercentage: 100, conditions: [] }] : [];
      const rules = contextEvaluator ? [{ ...targeted, passPercentage: 0 }, ...everyone] : everyone;
      await server.client.createGate({ body: { ...body, rules } });
    } else {
      const rules = contextEvaluator ? [{ ...targeted, passPercentage: 100, returnValue: variants.zero as Record<string, unknown> }] : [];
      await server.client.createDynamicConfig({ body: { ...body, defaultValue: value as Record<string, unknown>, rules } });
    }
  }

  test("the specification's flags have their default values, or false if a gate is disabled", async () => {
    expect(flags.map(([id]) => id)).toEqual([
      "boolean-flag",
      "boolean-disabled-flag",
      "boolean-targeted-zero-flag",
      "boolean-zero-flag",
      "metadata-flag",
      "object-flag",
      "object-disabled-flag",
      "object-targeted-zero-flag",
      "object-zero-flag",
    ]);
    for (const [id, { variants, defaultVariant, disabled }] of flags) {
      const { status, body } = await evaluate(server, id, { targetingKey: "5c3d8535-f81a-4478-a6d3-afaa4d51199e" });
      expect(status).toBe(200);
      validate("serverEvaluationSuccess", body);
      const value = variants[defaultVariant as string];
      expect(body.value).toEqual(disabled && typeof value === "boolean" ? false : value);
      expect(body.reason === "DISABLED").toBe(disabled === true);
    }
  });

  test("a targeted flag has the targeted value for targeted users", async () => {
    const context = { targetingKey: "5c3d8535-f81a-4478-a6d3-afaa4d51199e", email: "ballmer@macrosoft.com" };
    for (const [id, { variants }] of flags.filter(([, flag]) => flag.contextEvaluator)) {
      const { body } = await evaluate(server, id, context);
      validate("serverEvaluationSuccess", body);
      expect(body).toMatchObject({ value: variants.zero, reason: "TARGETING_MATCH" });
    }
  });

  test("a bulk evaluation conforms to the specification", async () => {
    const { status, body } = await evaluateAll(server, { targetingKey: "alice" });
    expect(status).toBe(200);
    expect(body.flags.map(({ key }: { key: string }) => key).toSorted()).toEqual(flags.map(([id]) => id).toSorted());
    validate("bulkEvaluationSuccess", body);
  });

  test("errors conform to the specification", async () => {
    const refused = (body: unknown) => server.send("POST", "/ofrep/v1/evaluate/flags/boolean-flag", { body });
    for (const body of [{}, { context: {} }, { context: [] }, [], "text"]) validate("evaluationFailure", (await refused(body)).body);
    validate("evaluationFailure", (await server.send("POST", "/ofrep/v1/evaluate/flags/boolean-flag", { rawBody: "{" })).body);
    validate("flagNotFound", (await evaluate(server, "missing-flag", { targetingKey: "alice" })).body);
    validate("bulkEvaluationFailure", (await server.send("POST", "/ofrep/v1/evaluate/flags", { body: { context: {} } })).body);
  });
});
