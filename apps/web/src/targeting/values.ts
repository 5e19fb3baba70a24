// The value that a rule of a dynamic config returns to users who pass: one value, or one of several variants. Pure.
import { jsonValue, parseJson5 } from "../editor/json5-tree.ts";
import { textFaults } from "../editor/text-faults.ts";
import { freshName } from "./names.ts";
import { editRule, type RulesDraft, toPercentage, toRules } from "./rule-draft.ts";
import type { Fault, Rule, Variant } from "./types.ts";

type Valued = Pick<Rule, "returnValue" | "returnValueJson5">;

/** The JSON5 text of a value, as it was written where that is known. */
export function textOfValue({ returnValue, returnValueJson5 }: Valued): string {
  return returnValueJson5 ?? JSON.stringify(returnValue ?? {}, undefined, 2);
}

/** The value of a text. If the text is not an object, the last value stays, so that the page can show it. */
export function withText<Of extends Valued>(of: Of, text: string): Of {
  const value = parseObject(text);
  return { ...of, returnValueJson5: text, ...(value !== undefined && { returnValue: value }) };
}

/** The object that a text of JSON5 gives; undefined if it gives none. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  const { root } = parseJson5(text);
  return root?.kind === "object" ? (jsonValue(root) as Record<string, unknown>) : undefined;
}

export const setValue = (draft: RulesDraft, key: string, text: string): RulesDraft => editRule(draft, key, (rule) => withText(rule, text));

export const setVariant = (draft: RulesDraft, key: string, index: number, edit: (variant: Variant) => Variant): RulesDraft =>
  editVariants(draft, key, (variants) => variants.map((one, at) => (at === index ? edit(one) : one)));

/** Adds a variant with the rest of 100%. The first one takes the rule's value. */
export function addVariant(draft: RulesDraft, key: string): RulesDraft {
  return editRule(draft, key, (rule) => {
    const variants = rule.variants ?? [];
    const left = toPercentage(100 - variants.reduce((sum, { passPercentage }) => sum + passPercentage, 0));
    const names = variants.map((variant) => variant.name);
    const name = freshName(names.length === 0 ? "Variant 1" : "Variant", ["Variant", ...names]);
    const value: Valued = { returnValueJson5: textOfValue(variants.at(-1) ?? rule) };
    return { ...rule, variants: [...variants, { name, passPercentage: left, ...withText(value, textOfValue(value)) }] };
  });
}

/** Removes a variant. Without variants, the rule gives its own value again. */
export const removeVariant = (draft: RulesDraft, key: string, index: number): RulesDraft =>
  editVariants(draft, key, (variants) => variants.toSpliced(index, 1));

function editVariants(draft: RulesDraft, key: string, edit: (variants: Variant[]) => Variant[]): RulesDraft {
  return editRule(draft, key, (rule) => ({ ...rule, variants: edit(rule.variants ?? []) }));
}

/** The faults of the texts of values, each with its path in a request. */
export function faultsOfValues(draft: RulesDraft): Fault[] {
  return toRules(draft).flatMap((rule, index) => [
    ...faultsOfText(textOfValue(rule), `rules[${index}].returnValueJson5`),
    ...(rule.variants ?? []).flatMap((variant, at) =>
      faultsOfText(textOfValue(variant), `rules[${index}].variants[${at}].returnValueJson5`),
    ),
  ]);
}

/** The faults of a text that must be an object. */
export function faultsOfText(text: string, property: string): Fault[] {
  return textFaults(text, "object")
    .faults.filter(({ severity }) => severity === "error")
    .slice(0, 1)
    .map(({ message }) => ({ property, message, level: "error" }));
}
