import type { Schema } from "@gatehouse/client";
import { countryChoices, countryLabel } from "./choices.ts";
import { CONDITION_TYPES } from "./condition-types.ts";
import type { Condition, ConditionType } from "./types.ts";

export type SeenAttribute = Schema<"SeenAttribute">;
/** A value that the editor offers. */
export type SuggestedValue = { value: string; label: string };

/** Custom fields among the condition types. The name of a custom field is searched among all. */
const MAX_FIELDS = 40;
const MAX_SUGGESTIONS = 6;

/** The attribute that conditions of a type test. */
const ATTRIBUTES: Partial<Record<ConditionType, string>> = {
  country: "country",
  locale: "locale",
  app_version: "appVersion",
  device_model: "deviceModel",
};

/** The custom fields to offer: those that most rules test or most users have first. */
export function offeredFields(attributes: readonly SeenAttribute[]): SeenAttribute[] {
  return attributes
    .filter(({ kind, isHidden }) => kind === "custom" && !isHidden)
    .toSorted((a, b) => b.rules - a.rules || (b.userShare ?? 0) - (a.userShare ?? 0) || a.id.localeCompare(b.id, "en"));
}

export type FieldOption = { id: string; label: string; hint: string };

/** The custom fields to choose from among the condition types. */
export function fieldOptions(attributes: readonly SeenAttribute[]): FieldOption[] {
  return offeredFields(attributes)
    .slice(0, MAX_FIELDS)
    .map((attribute) => ({ id: `${CUSTOM}${attribute.id}`, label: attribute.id, hint: describeAttribute(attribute) }));
}

/** The option of a typed name: a custom field that the project may not know. */
export function customFieldOption(typed: string): { id: string; label: string } {
  return { id: `${CUSTOM}${typed.trim()}`, label: `Use “${typed}” as a custom field` };
}

const CUSTOM = "custom_field ";

/** The condition type of an option, and the name of the custom field if it is one. */
export function chosenField(option: string): { type: ConditionType; field?: string } {
  if (!option.startsWith(CUSTOM)) return { type: option as ConditionType };
  return { type: "custom_field", field: option.slice(CUSTOM.length) };
}

/** The types of an attribute's values, and its description. */
function describeAttribute({ types, description }: Pick<SeenAttribute, "types" | "description">): string {
  return [types.join(" or "), description].filter((part) => part !== "").join(" · ") || CONDITION_TYPES.custom_field.label;
}

/** The attribute that a condition tests, if the project knows it. */
export function attributeOf({ type, field }: Condition, attributes: readonly SeenAttribute[]): SeenAttribute | undefined {
  const name = type === "custom_field" ? field : ATTRIBUTES[type];
  return attributes.find(({ id }) => id === name);
}

/**
 * Advice on a custom field with this name.
 * @param attribute the field, if the project knows it
 */
export function adviceOnField(field: string, attribute: SeenAttribute | undefined): string | undefined {
  if (attribute?.types.includes("object")) return `Rules can’t read fields inside ${field}. Send each one as a custom field.`;
  const parent = field.split(".")[0] ?? "";
  const isSeen = attribute !== undefined && attribute.types.length > 0;
  if (parent === "" || parent === field || isSeen) return undefined;
  return `SDKs look for a custom field named ${field}. They don’t read fields inside ${parent}.`;
}

/** Values to offer for a condition: countries by name, or what users have and rules compare with. @param typed the text so far */
export function suggestedValues(condition: Condition, typed: string, attribute: SeenAttribute | undefined): SuggestedValue[] {
  const known = new Set([condition.targetValue ?? []].flat().map((value) => String(value).toLowerCase()));
  const isCountry = condition.type === "country";
  const search = typed.trim().toLowerCase();
  const values = (attribute?.values ?? []).map(({ value }) => ({ value, label: isCountry ? countryLabel(value) : value }));
  const offered = isCountry && search !== "" ? countryChoices().map(({ value }) => ({ value, label: countryLabel(value) })) : values;
  return offered
    .filter(({ value, label }) => !known.has(value.toLowerCase()) && label.toLowerCase().includes(search))
    .toSorted((a, b) => Number(b.label.toLowerCase().startsWith(search)) - Number(a.label.toLowerCase().startsWith(search)))
    .slice(0, MAX_SUGGESTIONS);
}

/** The code of the country that a text names, or that alone contains it. Other texts are returned as they are. */
export function toCountryCode(text: string): string {
  const search = text.trim().toLowerCase();
  if (search.length <= 2) return text;
  const found = countryChoices().filter(({ label }) => label.toLowerCase().includes(search));
  const named = found.find(({ label }) => label.toLowerCase() === search);
  return named?.value ?? (found.length === 1 ? (found[0]?.value ?? text) : text);
}
