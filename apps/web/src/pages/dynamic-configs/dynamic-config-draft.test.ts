import { expect, test } from "vitest";
import { conflictsIn, mergedDraft } from "../../saving/draft-model.ts";
import { addRule } from "../../targeting/rule-draft.ts";
import { addVariant, setValue } from "../../targeting/values.ts";
import {
  configModel,
  type DynamicConfig,
  faultsOfTexts,
  type StoredConfig,
  setFields,
  toPreview,
  toWriteRequests,
} from "./dynamic-config-draft.ts";

const RULE = { id: "r1", name: "Staff", passPercentage: 100, conditions: [], environments: null, returnValue: { timeout: 5 } };
const CONFIG = {
  ...{ id: "checkout", name: "checkout", description: "", idType: "userID", isEnabled: true, status: "Enabled", tags: [], version: 3 },
  ...{ defaultValue: { timeout: 1 }, defaultValueJson5: "{ timeout: 1 }", schema: null, schemaJson5: null },
  ...{ rules: [{ ...RULE, returnValueJson5: "{ timeout: 5 }" }], targetApps: [], holdoutIDs: [] },
} as unknown as DynamicConfig;
const stored = (config: Partial<DynamicConfig> = {}, etag = '"3"'): StoredConfig => ({ entity: { ...CONFIG, ...config }, etag });
const createDraft = (read: StoredConfig) => configModel.createDraft(read, configModel.storedParts(read));
const firstKey = (draft: ReturnType<typeof createDraft>) => draft.rules.items[0]?.key ?? "";

test("a draft without edits writes nothing", () => {
  expect(toWriteRequests(createDraft(stored()))).toEqual([]);
  expect(configModel.countChanges(createDraft(stored()))).toBe(0);
});

test("a save sends the text of the default value, so that its comments stay", () => {
  const draft = setFields(createDraft(stored()), { defaultValueJson5: "{ timeout: 2 /* s */ }" });
  expect(toWriteRequests(draft)).toEqual([
    {
      operationId: "patchDynamicConfig",
      path: { id: "checkout" },
      body: { defaultValueJson5: "{ timeout: 2 /* s */ }" },
      ifMatch: '"3"',
    },
  ]);
  expect(toPreview(draft).defaultValue).toEqual({ timeout: 2 });
});

test("the value of a rule is sent as text and as value, which agree", () => {
  const draft = createDraft(stored());
  const rules = setValue(draft.rules, firstKey(draft), "{ timeout: 6 }");
  expect(toWriteRequests({ ...draft, rules })).toMatchObject([
    { body: { rules: [{ id: "r1", returnValueJson5: "{ timeout: 6 }", returnValue: { timeout: 6 } }] } },
  ]);
});

test("the first variant takes the value of the rule and everybody who passes, the next what is left", () => {
  const draft = createDraft(stored());
  const once = addVariant(draft.rules, firstKey(draft));
  const twice = addVariant(once, firstKey(draft));
  expect(twice.items[0]?.rule.variants).toMatchObject([
    { passPercentage: 100, returnValue: { timeout: 5 } },
    { passPercentage: 0, returnValue: { timeout: 5 } },
  ]);
});

test("a text that is not an object is an error at its place", () => {
  const draft = setFields(createDraft(stored()), { defaultValueJson5: "[1]", schemaJson5: "{" });
  const rules = setValue(draft.rules, firstKey(draft), "{ a: }");
  expect(faultsOfTexts({ ...draft, rules }).map(({ property }) => property)).toEqual([
    "defaultValueJson5",
    "schemaJson5",
    "rules[0].returnValueJson5",
  ]);
});

test("separate changes by two people are merged, and changes to the same field conflict", () => {
  const draft = setFields(createDraft(stored()), { description: "Mine", defaultValueJson5: "{ timeout: 2 }" });
  const later = stored({ tags: ["theirs"], defaultValueJson5: "{ timeout: 9 }", version: 4 }, '"4"');
  expect(conflictsIn(configModel, draft, later).map(({ path }) => path)).toEqual(["defaultValueJson5"]);
  const merged = mergedDraft(configModel, draft, later, { defaultValueJson5: "theirs" });
  expect(toWriteRequests(merged)).toMatchObject([{ body: { description: "Mine" }, ifMatch: '"4"' }]);
});

test("a new rule gives an empty object until somebody says what", () => {
  const draft = createDraft(stored());
  const rules = addRule(draft.rules, { name: "Beta" });
  expect(faultsOfTexts({ ...draft, rules })).toEqual([]);
});
