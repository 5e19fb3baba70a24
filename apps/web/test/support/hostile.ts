import type { ConsoleClient } from "@gatehouse/client";
import { rule } from "./gates.ts";

export const MARKUP = '<img src="/stolen" onerror="alert(1)"><script>alert(2)</script>';
/** Overrides the direction of what follows, and never ends. */
export const REVERSED = "\u202Ereversed\u2067";
export const LONG = "W".repeat(1_000);

/** A hundred characters: markup, a reversed text, and no place to break a line. */
export const NAME = `${MARKUP}${REVERSED}${LONG}`.slice(0, 100);
/** Where the contract allows letters alone. */
export const LETTERS = LONG.slice(0, 100);
export const TEXT = `${MARKUP}\n${REVERSED}\n${LONG}`.slice(0, 1_000);
const rules = [rule(NAME, { conditions: [{ type: "user_id" as const, operator: "any" as const, targetValue: [MARKUP, LONG, REVERSED] }] })];

type Kind = {
  kind: string;
  list: string;
  tabs: readonly string[];
  create: (api: ConsoleClient) => Promise<string>;
  /** Further pages that show it. */
  others?: (api: ConsoleClient) => Promise<string[]>;
};

/** Every kind with a page, what is hostile of it, and its tabs. */
export const KINDS: readonly Kind[] = [
  {
    kind: "dynamic config",
    list: "dynamic-configs",
    tabs: ["values", "schema", "history", "used-by", "details"],
    create: async (api) => {
      const body = {
        name: LETTERS,
        description: TEXT,
        defaultValue: { [MARKUP]: LONG },
        rules: [{ ...rules[0], returnValue: { a: MARKUP } }],
      };
      return (await api.createDynamicConfig({ body: body as never })).data.id;
    },
  },
  {
    kind: "experiment",
    list: "experiments",
    tabs: ["setup", "overrides", "exposures", "history", "used-by", "details"],
    create: async (api) => {
      const groups = [
        { name: NAME, size: 50, parameterValues: { [MARKUP]: LONG } },
        { name: `${NAME.slice(0, 90)} other`, size: 50 },
      ];
      return (await api.createExperiment({ body: { name: LETTERS, description: TEXT, hypothesis: TEXT, groups } })).data.id;
    },
  },
  {
    kind: "layer",
    list: "layers",
    tabs: ["buckets", "parameters", "overrides", "history", "used-by", "details"],
    create: async (api) => {
      const parameters = [{ name: NAME, type: "string" as const, defaultValue: LONG }];
      return (await api.createLayer({ body: { name: LETTERS, description: TEXT, idType: "userID", parameters } })).data.id;
    },
  },
  {
    kind: "holdout",
    list: "holdouts",
    tabs: ["held", "overrides", "history", "used-by", "details"],
    create: async (api) => (await api.createHoldout({ body: { name: LETTERS, description: TEXT } })).data.id,
  },
  {
    kind: "segment",
    list: "segments",
    tabs: ["members", "history", "used-by", "details"],
    create: async (api) =>
      (await api.createSegment({ body: { name: LETTERS, description: TEXT, type: "rule_based", rules } as never })).data.id,
  },
  {
    kind: "param store",
    list: "param-stores",
    tabs: ["parameters", "history", "details"],
    create: async (api) => {
      const parameters = [{ name: NAME, ref_type: "static" as const, param_type: "string" as const, value: LONG }];
      return (await api.createParamStore({ body: { name: NAME, description: TEXT, parameters } })).data.name;
    },
  },
  {
    kind: "metric",
    list: "metrics",
    tabs: ["definition", "history", "used-by", "details"],
    create: async (api) => {
      const criteria = [{ type: "metadata" as const, column: MARKUP, condition: "in" as const, values: [MARKUP, REVERSED, LONG] }];
      const metricEvents = [{ name: MARKUP.slice(0, 128), criteria }];
      return (await api.createMetric({ body: { name: "M".repeat(200), type: "event_user", description: TEXT, metricEvents } })).data.id;
    },
  },
  {
    kind: "metric source",
    list: "metric-sources",
    tabs: ["source", "history", "details"],
    create: async (api) => {
      const idTypeMapping = [{ serviceUnitID: "userID", column: LONG }];
      const customFieldMapping = [{ key: MARKUP, formula: LONG }];
      const body = { name: NAME, description: TEXT, sql: TEXT, timestampColumn: MARKUP, idTypeMapping, customFieldMapping };
      return (await api.createMetricSource({ body })).data.name;
    },
  },
  {
    kind: "alert",
    list: "alerts",
    tabs: ["status", "definition", "history", "details"],
    create: async (api) => {
      const watched = { metrics: { A: { id: `${MARKUP}${"M".repeat(150)}` } }, condition: "greater", alertThreshold: 1e15 } as const;
      const body = { name: LETTERS, message: TEXT, alertType: "threshold", ...watched, windowMs: 300_000, priority: "P3" } as const;
      return (await api.createAlert({ body })).data.id;
    },
  },
  {
    kind: "entity property source",
    list: "entity-properties",
    tabs: ["source", "history", "details"],
    create: async (api) => {
      const body = { name: NAME, description: TEXT, sql: TEXT, timestampColumn: MARKUP };
      const idTypeMapping = [{ serviceUnitID: "userID", column: LONG }];
      return (await api.createEntityPropertySource({ body: { ...body, idTypeMapping } })).data.name;
    },
  },
  {
    kind: "qualifying event",
    list: "qualifying-events",
    tabs: ["source", "history", "details"],
    create: async (api) => {
      const body = { name: NAME, description: TEXT, sql: TEXT, timestampColumn: MARKUP };
      const idTypeMapping = [{ serviceUnitID: "userID", column: LONG }];
      return (await api.createQualifyingEvent({ body: { ...body, idTypeMapping } })).data.name;
    },
  },
  {
    kind: "assignment source",
    list: "assignment-sources",
    tabs: ["source", "history", "details"],
    create: async (api) => {
      const idTypeMapping = [{ serviceUnitID: "userID", column: LONG }];
      const columns = {
        timestampColumn: MARKUP,
        experimentIDColumn: REVERSED,
        groupIDColumn: LONG,
        groupNameColumn: MARKUP,
        idTypeMapping,
      };
      return (await api.createAssignmentSource({ body: { name: NAME, description: TEXT, sql: TEXT, ...columns } })).data.name;
    },
  },
  {
    kind: "ingestion source",
    list: "ingestion-sources",
    tabs: ["source", "days", "history", "details"],
    create: async (api) => {
      await api.updateWarehouseConnection({ body: { postgres: { url: "postgres://reader:secret@127.0.0.1:1/shop" } } });
      const mapping = {
        ...{ event_name: MARKUP, timestamp: REVERSED, unit_id: LONG.slice(0, 200), event_value: MARKUP },
        ...{ metadata: { [MARKUP.slice(0, 100)]: LONG.slice(0, 200) }, metadata_object: REVERSED },
      };
      const body = { type: "postgres", dataset: "Events", source_name: NAME, query: TEXT, column_mapping: mapping } as const;
      return (await api.createIngestionSource({ body })).data.id;
    },
    others: async (api) => {
      const days = { datestamp_start: "2025-11-20", datestamp_end: "2025-11-20" };
      const { data } = await api.startIngestionBackfill({ body: { type: "postgres", dataset: "Events", ...days } });
      return ["ingestion-runs", `ingestion-runs/${data.runID}`];
    },
  },
  {
    kind: "team",
    list: "teams",
    tabs: ["team", "history"],
    create: async (api) => (await api.createTeam({ body: { name: NAME, description: TEXT } })).data.id,
  },
  {
    kind: "role",
    list: "roles",
    tabs: ["permissions", "people"],
    create: async (api) => (await api.createRole({ body: { name: LETTERS, permissions: { read: true } } })).data.name,
  },
  {
    kind: "key",
    list: "keys",
    tabs: [""],
    create: async (api) => (await api.createKey({ body: { type: "SERVER", description: TEXT } })).data.id,
  },
];
