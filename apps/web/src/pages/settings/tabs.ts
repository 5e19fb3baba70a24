export const TABS = {
  general: "General",
  environments: "Environments",
  reviews: "Reviews",
  tags: "Tags",
  "target-apps": "Target apps",
  "unit-id-types": "Unit ID types",
  attributes: "Attributes",
  warehouse: "Warehouse",
  model: "Model endpoint",
} as const;
