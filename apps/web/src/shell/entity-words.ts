const NOUNS: Record<string, string> = {
  environment_set: "Environments",
  gate_overrides: "Overrides of the gate",
  experiment_overrides: "Overrides of the experiment",
  layer_overrides: "Overrides of the layer",
  holdout_overrides: "Overrides of the holdout",
  autotune_weights: "Traffic of the autotune",
  unit_id_type: "Unit ID type",
};

/** What an entity of a type is called: `dynamic_config` is a “Dynamic config”. */
export function entityNoun(type: string): string {
  const words = type.replaceAll("_", " ");
  return NOUNS[type] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
