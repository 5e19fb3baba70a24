import type { ConsoleClient } from "@gatehouse/client";
import type { Locator, Page } from "@playwright/test";
import { typeJson5 } from "./editors.ts";
import { choose, find, rule } from "./gates.ts";

export type Kind = {
  noun: string;
  /** Title of its list. In lower case and with hyphens, it is the list's address. */
  title: string;
  name: string;
  /** Left out where it does not follow from the name. */
  id?: string;
  /** Creates entities that the creation needs. */
  prepare?: (api: ConsoleClient) => Promise<unknown>;
  /** Texts of the creation dialog besides the name, by label. */
  fields?: readonly (readonly [label: string, text: string])[];
  /** Fills fields of the creation dialog that take more than a text. */
  complete?: (page: Page, dialog: Locator) => Promise<void>;
  read: (api: ConsoleClient, id: string) => Promise<{ data: object }>;
  /** Stored fields after the creation. */
  created: Record<string, unknown>;
  /** Tab with the field that two people change: by default Details, null for the first tab. */
  tab?: string | null;
  /** Changes the field: by default, writes "Mine" as the description. */
  edit?: (page: Page) => Promise<void>;
  /** Name of the field where conflicts are shown. */
  field?: string;
  /** Another person changes the same field, and sometimes a second one. */
  theirs: (api: ConsoleClient, id: string) => Promise<unknown>;
  /** Stored fields after the merge that keeps my value. */
  merged?: Record<string, unknown>;
  /** Text of its row in the list, besides the name. */
  row?: string;
  /** Text of the deletion dialog about what is lost. */
  loss?: string;
};

const THEIRS = { description: "Theirs" };
const QUERY = "select * from rows_of_the_shop";
const CUSTOMER = ["Column with the userID", "customer"] as const;
const idTypeMapping = [{ serviceUnitID: "userID", column: "customer" }];
const SOURCE = { sql: QUERY, idTypeMapping };

/** Kinds with a list, a page and a history. Flows of only one kind are in the test file of that kind. */
export const KINDS: readonly Kind[] = [
  {
    ...{ noun: "gate", title: "Gates", name: "New Checkout", id: "new_checkout" },
    read: (api, id) => api.getGate({ path: { id } }),
    created: { description: "", rules: [], tags: [] },
    theirs: (api, id) => api.patchGate({ path: { id }, body: { ...THEIRS, tags: ["theirs"] } }),
    merged: { description: "Mine", tags: ["theirs"], version: 3 },
  },
  {
    ...{ noun: "dynamic config", title: "Dynamic configs", name: "checkout", id: "checkout" },
    read: (api, id) => api.getDynamicConfig({ path: { id } }),
    created: { description: "", defaultValue: {}, rules: [] },
    tab: null,
    edit: (page) => typeJson5(page, "Default value", "{ timeout: 2 }"),
    field: "Default value",
    theirs: (api, id) => api.patchDynamicConfig({ path: { id }, body: { ...THEIRS, defaultValue: { timeout: 3 } } }),
    merged: { description: "Theirs", defaultValue: { timeout: 2 }, version: 3 },
  },
  {
    ...{ noun: "experiment", title: "Experiments", name: "Button color", id: "button_color" },
    read: (api, id) => api.getExperiment({ path: { id } }),
    created: { status: "setup", hypothesis: "", allocation: 100 },
    tab: null,
    edit: (page) => page.getByLabel("Hypothesis").fill("Mine"),
    field: "Hypothesis",
    theirs: (api, id) => api.patchExperiment({ path: { id }, body: { hypothesis: "Theirs", allocation: 50 } }),
    merged: { hypothesis: "Mine", allocation: 50 },
  },
  {
    ...{ noun: "autotune", title: "Autotunes", name: "Best button", id: "best_button" },
    fields: [["Outcome", "purchase"]],
    row: "Not started",
    read: (api, id) => api.getAutotune({ path: { id } }),
    created: { description: "", successEvent: "purchase" },
    theirs: (api, id) => api.patchAutotune({ path: { id }, body: THEIRS }),
  },
  {
    ...{ noun: "layer", title: "Layers", name: "Checkout page", id: "checkout_page" },
    read: (api, id) => api.getLayer({ path: { id } }),
    created: { description: "", idType: "userID", parameters: [] },
    theirs: (api, id) => api.patchLayer({ path: { id }, body: THEIRS }),
  },
  {
    ...{ noun: "holdout", title: "Holdouts", name: "Nothing new", id: "nothing_new" },
    read: (api, id) => api.getHoldout({ path: { id } }),
    created: { description: "", isGlobal: false },
    tab: null,
    async edit(page) {
      await page.getByLabel("Held out, of all users").fill("3");
      await page.keyboard.press("Enter");
    },
    field: "Held out, in percent",
    theirs: (api, id) => api.patchHoldout({ path: { id }, body: { ...THEIRS, passPercentage: 2 } }),
    merged: { description: "Theirs", passPercentage: 3 },
  },
  {
    ...{ noun: "segment", title: "Segments", name: "Staff", id: "Staff" },
    read: (api, id) => api.getSegment({ path: { id } }),
    created: { type: "rule_based", rules: [] },
    tab: null,
    edit: async (page) => {
      await page.getByRole("button", { name: "Add rule" }).click();
      await page.getByRole("tab", { name: "Details" }).click();
      await page.getByRole("textbox", { name: "Description" }).fill("Mine");
    },
    theirs: (api, id) => api.patchSegment({ path: { id }, body: { description: "Theirs", rules: [rule("Theirs")] } }),
    merged: { description: "Mine", rules: [{ name: "Theirs" }, { name: "New rule" }] },
  },
  {
    ...{ noun: "param store", title: "Param stores", name: "checkout / page", id: "checkout / page" },
    read: (api, name) => api.getParamStore({ path: { name } }),
    created: { description: "", parameters: [] },
    theirs: (api, name) => api.updateParamStore({ path: { name }, body: THEIRS }),
  },
  {
    ...{ noun: "metric", title: "Metrics", name: "Buyers", id: "Buyers::event_user" },
    fields: [["Event", "bought"]],
    row: "Units with an event",
    read: (api, id) => api.getMetric({ path: { id } }),
    created: { description: "", directionality: "increase", metricEvents: [{ name: "bought", type: "count" }] },
    theirs: (api, id) => api.updateMetric({ path: { id }, body: { ...THEIRS, directionality: "decrease" } }),
    merged: { description: "Mine", directionality: "decrease" },
  },
  {
    ...{ noun: "metric source", title: "Metric sources", name: "orders", id: "orders" },
    fields: [["Query", QUERY], ["Time column", "created_at"], CUSTOMER],
    row: "userID",
    read: (api, name) => api.getMetricSource({ path: { name } }),
    created: { ...SOURCE, description: "", timestampColumn: "created_at" },
    tab: null,
    edit: (page) => page.getByLabel("Time column").fill("paid_at"),
    field: "Time column",
    theirs: (api, name) => api.updateMetricSource({ path: { name }, body: { ...SOURCE, ...THEIRS, timestampColumn: "sent_at" } }),
    merged: { description: "Theirs", timestampColumn: "paid_at" },
  },
  {
    ...{ noun: "alert", title: "Alerts", name: "Low revenue", id: "low_revenue" },
    prepare: (api) => api.createMetric({ body: { name: "Revenue", type: "sum", metricEvents: [{ name: "buy", type: "value" }] } }),
    async complete(page, dialog) {
      await find(page, dialog.getByRole("combobox", { name: "Metric" }), "Revenue");
      await choose(page, dialog.getByRole("button", { name: /Alert if it is/ }), "less than");
      await dialog.getByLabel("Alert threshold").fill("2.5");
      await page.keyboard.press("Tab");
    },
    read: (api, id) => api.getAlert({ path: { id } }),
    created: {
      alertType: "threshold",
      metrics: { A: { id: "Revenue::sum" } },
      condition: "less",
      alertThreshold: 2.5,
      windowMs: 3_600_000,
    },
    row: "value less than 2.5 over 1 hour",
    loss: "its events are gone",
    edit: (page) => page.getByLabel("Message").fill("Mine"),
    field: "Message",
    theirs: (api, id) => api.patchAlert({ path: { id }, body: { message: "Theirs", alertThreshold: 3 } }),
    merged: { message: "Mine", alertThreshold: 3 },
  },
  {
    ...{ noun: "assignment source", title: "Assignment sources", name: "shop", id: "shop" },
    fields: [["Query", QUERY], ["Time column", "shown_at"], ["Experiment column", "experiment"], ["Group column", "variant"], CUSTOMER],
    read: (api, name) => api.getAssignmentSource({ path: { name } }),
    created: { ...SOURCE, description: "", timestampColumn: "shown_at", experimentIDColumn: "experiment", groupIDColumn: "variant" },
    theirs: (api, name) => api.patchAssignmentSource({ path: { name }, body: THEIRS }),
  },
  {
    ...{ noun: "entity property source", title: "Entity properties", name: "shop", id: "shop" },
    fields: [["Query", QUERY], CUSTOMER],
    read: (api, name) => api.getEntityPropertySource({ path: { name } }),
    created: { ...SOURCE, description: "", timestampColumn: "" },
    theirs: (api, name) => api.patchEntityPropertySource({ path: { name }, body: THEIRS }),
  },
  {
    ...{ noun: "qualifying event", title: "Qualifying events", name: "checkout", id: "checkout" },
    fields: [["Query", QUERY], ["Time column", "at"], CUSTOMER],
    read: (api, name) => api.getQualifyingEvent({ path: { name } }),
    created: { ...SOURCE, description: "", timestampColumn: "at" },
    theirs: (api, name) => api.updateQualifyingEvent({ path: { name }, body: { ...SOURCE, ...THEIRS, timestampColumn: "at" } }),
  },
  {
    ...{ noun: "team", title: "Teams", name: "Payments" },
    read: (api, id) => api.getTeam({ path: { id } }),
    created: { name: "Payments", description: "", members: [], admins: [] },
    tab: null,
    theirs: (api, id) => api.patchTeam({ path: { id }, body: THEIRS }),
  },
];
