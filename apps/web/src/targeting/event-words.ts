/** Meanings of the SDKs' own events. */
const INTERNAL: Record<string, string> = {
  "statsig::gate_exposure": "Gate checks",
  "statsig::config_exposure": "Dynamic config and experiment reads",
  "statsig::layer_exposure": "Layer reads",
  "statsig::diagnostics": "SDK diagnostics",
};

/** The meaning of events with this name; undefined for names that the application chose. */
export const internalMeaning = (name: string): string | undefined => (Object.hasOwn(INTERNAL, name) ? INTERNAL[name] : undefined);
