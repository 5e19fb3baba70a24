import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { invalid, type Violation } from "../../common/errors.ts";
import type { Env } from "../stores.ts";
import { type Counted, type ExposedType, toAnswer } from "./exposure-count.ts";

const NOUNS: Record<ExposedType, string> = { experiments: "experiment", gates: "gate", dynamicConfigs: "dynamic config" };

export const exposureCountHandlers = {
  async getExposureCount({ query = {}, context, stores }) {
    const countExposures = async (type: ExposedType) => {
      const asked = query[type] ?? [];
      return { type, asked, counted: await stores.exposureCounts.count(type, [...new Set(asked)], context.now) };
    };
    const [experiments, gates, dynamicConfigs] = await Promise.all([
      countExposures("experiments"),
      countExposures("gates"),
      countExposures("dynamicConfigs"),
    ]);
    const missing = [experiments, gates, dynamicConfigs].flatMap(missingIn);
    if (missing.length > 0) throw invalid(missing);
    const data = {
      experiments: toAnswer(experiments.counted),
      gates: toAnswer(gates.counted),
      dynamicConfigs: toAnswer(dynamicConfigs.counted),
    };
    return { status: 200, body: { message: "Exposure count fetched successfully.", data } };
  },
} satisfies Partial<Handlers<operations, Env>>;

/** The ids without an entity, at their first place in the request. */
function missingIn({ type, asked, counted }: { type: ExposedType; asked: string[]; counted: Counted[] }): Violation[] {
  return counted.flatMap(({ id, counts }) => {
    const property = `${type}[${asked.indexOf(id)}]`;
    return counts ? [] : [{ property, errorMessage: `names the ${NOUNS[type]} ${id}, which does not exist` }];
  });
}
