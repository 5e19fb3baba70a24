import type { EvaluationHandlers } from "../binding.ts";
import { checkHandlers } from "./check-handlers.ts";
import { configSpecsHandlers } from "./config-specs-handlers.ts";
import { customExposureHandlers } from "./custom-exposure-handlers.ts";
import { idListHandlers } from "./id-list-handlers.ts";
import { initializeHandlers } from "./initialize-handlers.ts";

/** The SDK protocol and the SDK HTTP API, without their events. */
export const sdkHandlers = {
  ...checkHandlers,
  ...configSpecsHandlers,
  ...customExposureHandlers,
  ...idListHandlers,
  ...initializeHandlers,
} satisfies Partial<EvaluationHandlers>;
