import { describe, expect, test } from "vitest";
import type { Violation } from "../../common/errors.ts";
import { checkParameter, type Parameter } from "./param-store.ts";

type RefType = Parameter["ref_type"];
type ParamType = Parameter["param_type"];

type Value = NonNullable<Parameter["value"]>;

const VALUES: Record<ParamType, Value> = { boolean: false, number: 0, string: "", object: {}, array: [] };
const TYPES = Object.keys(VALUES) as ParamType[];

/** The fields of a complete parameter of each ref_type. */
const COMPLETE: Record<RefType, (value: Value) => Partial<Parameter>> = {
  static: (value) => ({ value }),
  gate: (value) => ({ gate_name: "g", pass_value: value, fail_value: value }),
  layer: () => ({ layer_name: "l", param_name: "p" }),
  dynamic_config: () => ({ config_name: "c", param_name: "p" }),
  experiment: () => ({ experiment_name: "e", param_name: "p" }),
};
const REFS = Object.keys(COMPLETE) as RefType[];

function violations(parameter: Partial<Parameter> & Pick<Parameter, "ref_type" | "param_type">): Violation[] {
  const found: Violation[] = [];
  checkParameter({ name: "n", ...parameter }, "parameters[0]", found);
  return found;
}

describe("checkParameter", () => {
  test.each(REFS.flatMap((ref_type) => TYPES.map((param_type) => ({ ref_type, param_type }))))(
    "accepts a complete $ref_type parameter of type $param_type, even with a falsy or empty value",
    ({ ref_type, param_type }) => {
      expect(violations({ ref_type, param_type, ...COMPLETE[ref_type](VALUES[param_type]) })).toEqual([]);
    },
  );

  test.each(REFS)("reports every field that a %s parameter lacks", (ref_type) => {
    const needed = Object.keys(COMPLETE[ref_type]("x"));
    const found = violations({ ref_type, param_type: "string" });
    expect(found.map(({ property }) => property).sort()).toEqual(needed.map((detail) => `parameters[0].${detail}`).sort());
    expect(new Set(found.map(({ errorMessage }) => errorMessage))).toEqual(new Set([`is required with ref_type ${ref_type}`]));
  });

  test.each(REFS)("reports every field that a %s parameter must not have", (ref_type) => {
    const everything = Object.assign({}, ...REFS.map((one) => COMPLETE[one]("x")));
    const foreign = Object.keys(everything).filter((detail) => !(detail in COMPLETE[ref_type]("x")));
    const found = violations({ ref_type, param_type: "string", ...everything });
    expect(found.map(({ property }) => property).sort()).toEqual(foreign.map((detail) => `parameters[0].${detail}`).sort());
    expect(new Set(found.map(({ errorMessage }) => errorMessage))).toEqual(new Set([`must be left out with ref_type ${ref_type}`]));
  });

  test.each(TYPES)("rejects values that are not of param_type %s", (param_type) => {
    for (const other of TYPES.filter((type) => type !== param_type)) {
      expect(violations({ ref_type: "static", param_type, ...COMPLETE.static(VALUES[other]) })).toEqual([
        {
          property: "parameters[0].value",
          errorMessage: expect.stringMatching(`^must be an? ${param_type} with param_type ${param_type}$`),
        },
      ]);
      const places = violations({ ref_type: "gate", param_type, ...COMPLETE.gate(VALUES[other]) }).map(({ property }) => property);
      expect(places).toEqual(["parameters[0].pass_value", "parameters[0].fail_value"]);
    }
  });
});
