import { itemsElsewhere, reachOfOverrides } from "../common/parts-elsewhere.ts";
import type { LayerOverrides } from "./layer-overrides.ts";

export const reachOfLayerOverrides = reachOfOverrides<LayerOverrides>((overrides, isGiven) => ({
  conditionalOverrides: overrides?.conditionalOverrides ?? [],
  idOverrides: itemsElsewhere(overrides?.idOverrides ?? [], isGiven),
}));
