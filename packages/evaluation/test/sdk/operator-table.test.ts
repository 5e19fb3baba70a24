import { beforeAll, describe, expect, test } from "vitest";
import { createEvaluator, type Evaluator, hashID, type RulesetV1, type RulesetV2 } from "../../src/index.ts";
import { BLOCKS, type Block, DEPENDENCIES } from "../operator-table/blocks.ts";
import { DIVERGENCES, type Divergence, type Row } from "../operator-table/divergences.ts";
import { TARGETS } from "../operator-table/targets.ts";
import { asV2, gate, rule, ruleset } from "../support/ruleset.ts";
import { type Sdks, SILENT, startSdks, toAsked } from "../support/sdks.ts";

// Every operator, with every target and type of condition, for every kind of user value, as both generations of official SDKs answer it.

const gateName = (block: number, condition: number) => `gate_${block}_${condition}`;
const gates = BLOCKS.flatMap(({ conditions }, block) =>
  conditions.map((condition, index) => gate(gateName(block, index), [rule("holds", { conditions: [condition] })])),
);
const v1: RulesetV1 = ruleset({
  has_updates: true,
  feature_gates: [...DEPENDENCIES.gates, ...gates],
  dynamic_configs: DEPENDENCIES.configs,
  id_lists: { friends: true },
  app_id: "web",
});
const v2: RulesetV2 = asV2(v1);
const idLists = { friends: ["a", "5", "Foo bar", "日本", "true", ""].map(hashID) };

/** The value and the rule; an empty rule where a condition is unsupported. */
type Answer = `${boolean} ${string}`;
type Answered = Row & { older: Answer; newer: Answer; own: Answer };

const toAnswer = ({ value, ruleID }: { value: boolean; ruleID: string }): Answer => `${value} ${ruleID}`;

function answers(block: Block, { older, newer }: Sdks, own: Evaluator): Answered[] {
  const number = BLOCKS.indexOf(block);
  return block.subjects.flatMap(({ value, user }) => {
    const asked = toAsked(user);
    return block.conditions.map((condition, index) => {
      const name = gateName(number, index);
      return {
        ...{ condition, value, user },
        older: toAnswer(older.getFeatureGate(asked.older, name, SILENT)),
        newer: toAnswer(newer.getFeatureGate(asked.newer, name, SILENT)),
        own: toAnswer(own.gate(name, user)),
      };
    });
  });
}

const answeredRows = new Map<Block, Answered[]>();
let rows: Answered[];
beforeAll(async () => {
  const sdks = await startSdks({ v1, v2, idLists });
  const own = createEvaluator(v1, { idLists, now: Date.now });
  for (const block of BLOCKS) answeredRows.set(block, answers(block, sdks, own));
  rows = [...answeredRows.values()].flat();
  await sdks.stop();
});

const agree = ({ older, newer }: Answered) => older === newer;
const findDivergence = (row: Answered) => DIVERGENCES.find(({ applies }) => applies(row));

/** Our evaluator's expected answer; undefined if the generations differ and no rule decides. */
function expectedAnswer(row: Answered): Answer | undefined {
  if (agree(row)) return row.newer;
  const divergence = findDivergence(row);
  return divergence && row[divergence.follows];
}

describe("where both generations of SDKs agree we agree, and where they differ we follow the one that a rule names", () => {
  test.each(BLOCKS)("in conditions of the type $title", (block) => {
    const asked = answeredRows.get(block) ?? [];
    expect(asked).toHaveLength(block.conditions.length * block.subjects.length);
    expect(asked.filter((row) => row.own !== expectedAnswer(row))).toEqual([]);
  });

  test.each(Object.keys(TARGETS))("%s holds for some values on which all agree, and fails for others", (operator) => {
    const agreed = rows.filter((row) => row.condition.operator === operator && agree(row)).map(({ own }) => own);
    expect(agreed).toContain("true holds");
    expect(agreed).toContain("false default");
  });

  test("they agree on nine rows of ten", () => {
    expect(rows.filter(agree).length / rows.length).toBeGreaterThan(0.9);
  });
});

describe("the rules of where they differ", () => {
  let used: Set<Divergence | undefined>;
  beforeAll(() => {
    used = new Set(rows.filter((row) => !agree(row)).map(findDivergence));
  });

  test.each(DIVERGENCES)("$title", (divergence) => {
    expect(used).toContain(divergence);
  });
});
