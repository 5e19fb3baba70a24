/** What the SDKs' own events tell. */
const INTERNAL: Record<string, string> = {
  "statsig::gate_exposure": "Checks of gates",
  "statsig::config_exposure": "Reads of dynamic configs and experiments",
  "statsig::layer_exposure": "Reads of layers",
  "statsig::diagnostics": "What SDKs tell of themselves",
};

/** What events of this name are; undefined for those that the application names. */
export const internalMeaning = (name: string): string | undefined => (Object.hasOwn(INTERNAL, name) ? INTERNAL[name] : undefined);
