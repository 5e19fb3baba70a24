// The entities of the project that the pictures of the README show.
import type { BatchRequest } from "@gatehouse/client";

const everyone = (passPercentage: number, name = "Everyone") => ({ name, passPercentage, conditions: [{ type: "public" }] });
const create = (operationId: BatchRequest["operationId"], body: object) => ({ operationId, body }) as BatchRequest;

/** Creates them, each after the ones that it names. */
export const picturedEntities = (): BatchRequest[] => [
  create("createTag", { name: "checkout", description: "Payments and checkout." }),
  create("createTag", { name: "search", description: "Search and navigation." }),
  create("createSegment", {
    name: "beta_users",
    type: "rule_based",
    description: "Users who signed up for early access.",
    tags: ["checkout"],
    rules: [
      {
        name: "Signed up",
        passPercentage: 100,
        conditions: [{ type: "custom_field", field: "beta", operator: "any", targetValue: ["yes"] }],
      },
    ],
  }),
  create("createGate", {
    name: "New checkout",
    description: "A checkout on a single page.",
    tags: ["checkout"],
    rules: [
      { name: "Staff", passPercentage: 100, conditions: [{ type: "email", operator: "str_contains_any", targetValue: ["@example.com"] }] },
      { name: "Beta users", passPercentage: 100, conditions: [{ type: "passes_segment", targetValue: "beta_users" }] },
      everyone(10, "10% of users"),
    ],
  }),
  create("createGate", {
    name: "Search as you type",
    description: "Shows results while users type.",
    tags: ["search"],
    rules: [
      { name: "Recent apps", passPercentage: 50, conditions: [{ type: "app_version", operator: "version_gt", targetValue: "2.4.0" }] },
    ],
  }),
  create("createGate", {
    name: "Express delivery",
    description: "Only where couriers are available.",
    tags: ["checkout"],
    type: "PERMANENT",
    rules: [{ name: "Nordics", passPercentage: 100, conditions: [{ type: "country", operator: "any", targetValue: ["NO", "SE", "DK"] }] }],
  }),
  create("createGate", {
    name: "Maintenance banner",
    description: "Turn it on before maintenance.",
    type: "PERMANENT",
    isEnabled: false,
    rules: [everyone(100)],
  }),
  create("createDynamicConfig", {
    name: "checkout_settings",
    description: "Settings of the checkout.",
    tags: ["checkout"],
    schemaJson5: "{ type: 'object', properties: { steps: { type: 'integer', minimum: 1 } }, required: ['steps'] }",
    defaultValue: { steps: 4, methods: ["card", "invoice"] },
    rules: [
      {
        name: "New checkout",
        passPercentage: 100,
        conditions: [{ type: "passes_gate", targetValue: "new_checkout" }],
        returnValueJson5: "{ steps: 1, methods: ['card', 'invoice', 'wallet'] }",
      },
    ],
  }),
  create("createLayer", {
    name: "checkout_page",
    idType: "userID",
    description: "Parameters shared by checkout experiments.",
    parameters: [
      { name: "button_color", type: "string", defaultValue: "blue" },
      { name: "free_shipping_from", type: "number", defaultValue: 50 },
    ],
  }),
  create("createExperiment", {
    name: "Button color",
    layerID: "checkout_page",
    allocation: 60,
    status: "active",
    tags: ["checkout"],
    hypothesis: "A green button gets more clicks.",
    groups: [
      { id: "blue", name: "Control", size: 50 },
      { id: "green", name: "Green", size: 50, parameterValues: { button_color: "green" } },
    ],
  }),
];
