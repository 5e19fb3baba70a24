// Changes of a param store's parameters, in words. Pure.
import type { Change } from "./change.ts";
import { equal } from "./equal.ts";
import type { KnownNames } from "./field-words.ts";
import { isCut, jsonValue, type Part, subject, text, value } from "./parts.ts";
import { kindLabel, kindNoun } from "./typed-values.ts";
import type { Parameter } from "./types.ts";

const NOUNS = { gate: "gate", layer: "layer", dynamic_config: "dynamic config", experiment: "experiment" };

/** The parameters that are added, removed, changed or moved. @param names of gates, layers, dynamic configs and experiments by their IDs */
export function parameterChanges(before: readonly Parameter[], after: readonly Parameter[], names: KnownNames = {}): Change[] {
  const find = (list: readonly Parameter[], name: string) => list.find((one) => one.name === name);
  const title = ({ name }: Parameter) => [text("Parameter"), subject(`“${name}”`)];
  const removed = before.flatMap((parameter, index): Change[] => {
    if (find(after, parameter.name)) return [];
    return [{ kind: "removed", field: `parameters[${index}]`, parts: [...title(parameter), text("removed")] }];
  });
  const others = after.flatMap((parameter, index): Change[] => {
    const [field, old] = [`parameters[${index}]`, find(before, parameter.name)];
    const now = sourceParts(parameter, names);
    if (old === undefined) return [{ kind: "added", field, parts: [...title(parameter), text("added:"), ...now] }];
    if (equal(old, parameter)) return [];
    const was = sourceParts(old, names);
    if (![...was, ...now].some(isCut))
      return [{ kind: "changed", field, parts: [...title(parameter), text(":"), ...was, text("→"), ...now] }];
    const diff = { before: JSON.stringify(old, null, 2), after: JSON.stringify(parameter, null, 2) };
    return [{ kind: "changed", field, parts: [...title(parameter), text("changed")], diff }];
  });
  const changes = [...removed, ...others];
  if (changes.length > 0 || equal(before, after)) return changes;
  return [{ kind: "changed", field: "parameters", parts: [text("Parameters in another order")] }];
}

/** The type of a parameter and the source of its value: “a number from the gate “new_checkout”: 1 if the user passes, 2 if the user fails”. */
function sourceParts(parameter: Parameter, names: KnownNames): Part[] {
  const { name, ref_type: source, param_type: type, param_name: field = name } = parameter;
  if (source === "static") return [text("always"), fixedValue(parameter.value), text(`(type: ${kindLabel(type)})`)];
  const noun = kindNoun(type);
  const { gate_name, layer_name, config_name, experiment_name } = parameter;
  const id = gate_name ?? layer_name ?? config_name ?? experiment_name ?? "";
  const origin = [text(`${noun} from the ${NOUNS[source]}`), subject(`“${names[id] ?? id}”`)];
  if (source === "gate") {
    const { pass_value, fail_value } = parameter;
    return [...origin, text(":"), fixedValue(pass_value), text("if the user passes,"), fixedValue(fail_value), text("if the user fails")];
  }
  return field === name ? origin : [...origin, text("(its parameter"), subject(`“${field}”`), text(")")];
}

const fixedValue = (given: unknown): Part => (given === "" ? value("“”") : jsonValue(given));
