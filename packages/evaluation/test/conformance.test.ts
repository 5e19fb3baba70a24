import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createEvaluator, type Evaluator } from "../src/index.ts";
import { needsSharedData, sharedJSON, sharedText } from "./support/shared-data.ts";

type Row = {
  user: object;
  gates: Record<string, unknown[]>;
  configs: Record<string, [string, unknown, string | null, boolean | null, boolean | null]>;
  layers: Record<string, unknown[]>;
};

describe("answers on which two official SDKs agree", needsSharedData, () => {
  const idLists = () => ({
    company_id_list: sharedText("core_company_id_list.txt")
      .split("\n")
      .map((line) => line.slice(1)),
  });

  test.each(["core_demo_proj_dcs.json", "core_demo_proj_dcs.expected.v1dcs.json"])("every row holds for %s", (name) => {
    const { rows, evaluatedAt } = sharedJSON("core_demo_proj_dcs.expected.json") as { rows: Row[]; evaluatedAt: string };
    const evaluator = createEvaluator(sharedJSON(name), { idLists: idLists(), now: Date.parse(evaluatedAt) });
    expect(rows.length).toBe(200);
    for (const row of rows) expect(answers(evaluator, row)).toEqual({ gates: row.gates, configs: row.configs, layers: row.layers });
  });
});

function answers(evaluator: Evaluator, { user, gates, configs, layers }: Row) {
  return {
    gates: mapValues(gates, (name) => {
      const gate = evaluator.gate(name, user);
      return [gate.value, gate.ruleID];
    }),
    configs: mapValues(configs, (name, [, , , inExperiment, active]) => {
      const { ruleID, value, groupName, isUserInExperiment, isExperimentActive } = evaluator.config(name, user);
      const shown = (flag: boolean | null, value: boolean) => (flag === null ? null : value);
      return [ruleID, abridged(value), groupName, shown(inExperiment, isUserInExperiment), shown(active, isExperimentActive)];
    }),
    layers: mapValues(layers, (name) => {
      const { ruleID, value, allocatedExperiment } = evaluator.layer(name, user);
      return [ruleID, abridged(value), allocatedExperiment];
    }),
  };
}

function mapValues<T, R>(object: Record<string, T>, map: (name: string, value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(name, value)]));
}

/** As the data has long values: the hash of their JSON with sorted keys. */
function abridged(value: unknown): unknown {
  const json = JSON.stringify(sorted(value));
  return json.length > 200 ? { $sha256_sorted_json: createHash("sha256").update(json).digest("hex") } : value;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}
