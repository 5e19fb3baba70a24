import type { Request } from "../../api.ts";

/** A layer of 1,000 buckets runs at most 1,000 experiments. */
export const layerExperimentsRequest = (id: string): Request<"listLayerExperiments"> => ({ path: { id }, query: { limit: 1_000 } });
