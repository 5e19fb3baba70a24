import type { ConsoleClient } from "@gatehouse/client";
import type { PagedType } from "../../src/kinds/kinds.ts";
import { rule } from "./gates.ts";

export const MARKUP = '<img src="/stolen" onerror="alert(1)"><script>alert(2)</script>';
/** Overrides the direction of what follows, and never ends. */
export const REVERSED = "\u202Ereversed\u2067";
export const LONG = "W".repeat(1_000);

/** A hundred characters: markup, a reversed text, and no place to break a line. */
export const NAME = `${MARKUP}${REVERSED}${LONG}`.slice(0, 100);
/** Where the contract allows letters alone. */
const LETTERS = LONG.slice(0, 100);
export const TEXT = `${MARKUP}\n${REVERSED}\n${LONG}`.slice(0, 1_000);
const rules = [rule(NAME, { conditions: [{ type: "user_id" as const, operator: "any" as const, targetValue: [MARKUP, LONG, REVERSED] }] })];

/** A query in the project's warehouse. */
const source = {
  ...{ name: NAME, description: TEXT, sql: TEXT, timestampColumn: MARKUP },
  idTypeMapping: [{ serviceUnitID: "userID", column: LONG }],
};

/** An entity that exists, and the title of its page. */
type Made = { id: string; title: string };
const titled = ({ id, name }: { id: string; name: string }): Made => ({ id, title: name });
/** Of an entity that has no id but its name. */
const named = ({ name }: { name: string }): Made => ({ id: name, title: name });

/** Creates an entity of each kind with a page, with hostile names and texts. */
export const makers: Readonly<Record<PagedType, (api: ConsoleClient) => Promise<Made>>> = {
  gate: async (api) => titled((await api.createGate({ body: { name: LETTERS, description: TEXT, rules } })).data),
  dynamic_config: async (api) => {
    const body = {
      name: LETTERS,
      description: TEXT,
      defaultValue: { [MARKUP]: LONG },
      rules: [{ ...rules[0], returnValue: { a: MARKUP } }],
    };
    return titled((await api.createDynamicConfig({ body: body as never })).data);
  },
  experiment: async (api) => {
    const groups = [
      { name: NAME, size: 50, parameterValues: { [MARKUP]: LONG } },
      { name: `${NAME.slice(0, 90)} other`, size: 50 },
    ];
    return titled((await api.createExperiment({ body: { name: LETTERS, description: TEXT, hypothesis: TEXT, groups } })).data);
  },
  autotune: async (api) => {
    const variants = [NAME, `${NAME.slice(0, 90)} other`].map((name, index) => ({ id: `v${index}`, name, json: { [MARKUP]: LONG } }));
    const windows = { explorationWindow: "24hr", attributionWindow: "1hr", winnerThreshold: "95%" } as const;
    const body = { name: LETTERS, description: TEXT, variants, successEvent: MARKUP, ...windows };
    return titled((await api.createAutotune({ body })).data);
  },
  layer: async (api) => {
    const parameters = [{ name: NAME, type: "string" as const, defaultValue: LONG }];
    return titled((await api.createLayer({ body: { name: LETTERS, description: TEXT, idType: "userID", parameters } })).data);
  },
  holdout: async (api) => titled((await api.createHoldout({ body: { name: LETTERS, description: TEXT } })).data),
  segment: async (api) =>
    titled((await api.createSegment({ body: { name: LETTERS, description: TEXT, type: "rule_based", rules } as never })).data),
  param_store: async (api) => {
    const parameters = [{ name: NAME, ref_type: "static" as const, param_type: "string" as const, value: LONG }];
    return named((await api.createParamStore({ body: { name: NAME, description: TEXT, parameters } })).data);
  },
  prompt: async (api) => {
    const { id, displayName } = (await api.createPrompt({ body: { name: LETTERS, description: TEXT } })).data;
    return { id, title: displayName };
  },
  metric: async (api) => {
    const criteria = [{ type: "metadata" as const, column: MARKUP, condition: "in" as const, values: [MARKUP, REVERSED, LONG] }];
    const metricEvents = [{ name: MARKUP.slice(0, 128), criteria }];
    return titled((await api.createMetric({ body: { name: "M".repeat(200), type: "event_user", description: TEXT, metricEvents } })).data);
  },
  metric_source: async (api) => {
    const customFieldMapping = [{ key: MARKUP, formula: LONG }];
    return named((await api.createMetricSource({ body: { ...source, customFieldMapping } })).data);
  },
  alert: async (api) => {
    const watched = { metrics: { A: { id: `${MARKUP}${"M".repeat(150)}` } }, condition: "greater", alertThreshold: 1e15 } as const;
    const body = { name: LETTERS, message: TEXT, alertType: "threshold", ...watched, windowMs: 300_000, priority: "P3" } as const;
    const { id, name = id } = (await api.createAlert({ body })).data;
    return { id, title: name };
  },
  entity_property_source: async (api) => named((await api.createEntityPropertySource({ body: source })).data),
  qualifying_event: async (api) => named((await api.createQualifyingEvent({ body: source })).data),
  assignment_source: async (api) => {
    const columns = { experimentIDColumn: REVERSED, groupIDColumn: LONG, groupNameColumn: MARKUP };
    return named((await api.createAssignmentSource({ body: { ...source, ...columns } })).data);
  },
  ingestion_source: async (api) => {
    await api.updateWarehouseConnection({ body: { postgres: { url: "postgres://reader:secret@127.0.0.1:1/shop" } } });
    const mapping = {
      ...{ event_name: MARKUP, timestamp: REVERSED, unit_id: LONG.slice(0, 200), event_value: MARKUP },
      ...{ metadata: { [MARKUP.slice(0, 100)]: LONG.slice(0, 200) }, metadata_object: REVERSED },
    };
    const body = { type: "postgres", dataset: "Events", source_name: NAME, query: TEXT, column_mapping: mapping } as const;
    const { id } = (await api.createIngestionSource({ body })).data;
    return { id, title: id };
  },
  team: async (api) => titled((await api.createTeam({ body: { name: NAME, description: TEXT } })).data),
  role: async (api) => named((await api.createRole({ body: { name: LETTERS, permissions: { read: true } } })).data),
  key: async (api) => {
    const { id } = (await api.createKey({ body: { type: "SERVER", description: TEXT } })).data;
    return { id, title: TEXT };
  },
};

/** Further pages that show entities of a kind. */
export const further: { readonly [Type in PagedType]?: (api: ConsoleClient) => Promise<string[]> } = {
  ingestion_source: async (api) => {
    const days = { datestamp_start: "2025-11-20", datestamp_end: "2025-11-20" };
    const { data } = await api.startIngestionBackfill({ body: { type: "postgres", dataset: "Events", ...days } });
    return ["ingestion-runs", `ingestion-runs/${data.runID}`];
  },
};
