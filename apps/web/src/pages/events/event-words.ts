/** Meanings of the SDKs' own events. */
const INTERNAL: Record<string, string> = {
  "statsig::gate_exposure": "Checks of gates",
  "statsig::config_exposure": "Reads of dynamic configs and experiments",
  "statsig::layer_exposure": "Reads of layers",
  "statsig::diagnostics": "What SDKs tell of themselves",
};

/** The meaning of events with this name; undefined for names that the application chose. */
export const internalMeaning = (name: string): string | undefined => (Object.hasOwn(INTERNAL, name) ? INTERNAL[name] : undefined);
