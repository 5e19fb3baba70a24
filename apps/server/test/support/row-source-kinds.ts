import type { TestServer } from "./server.ts";
import { makeTeam } from "./teams.ts";

type Client = TestServer["client"];

/** The kinds, as operations name them. */
type Noun = "MetricSource" | "QualifyingEvent" | PatchableNoun;
type PatchableNoun = "AssignmentSource" | "EntityPropertySource";

/** Fields of a request that creates a source. */
type Fields<N extends Noun> = Partial<Parameters<Client[`create${N}`]>[0]["body"]>;

/** A kind of entity that describes rows of the warehouse. */
export type RowSourceKind<N extends Noun = Noun> = {
  /** As messages name one. */
  title: string;
  /** As the audit log names it. */
  entityType: string;
  /** The URL of a source, up to its name. */
  path: string;
  listPath: string;
  create: `create${N}`;
  list: `list${N}s`;
  get: `get${N}`;
  update: `update${N}`;
  delete: `delete${N}`;
  restore: `restore${N}Version`;
  /** The fields that creating and updating require. */
  required: Fields<N>;
  /** The values of omitted fields, except those that all kinds have. */
  defaults: Fields<N>;
  /** Another value than the default for every field that is neither required nor common to all kinds. */
  optional: Fields<N>;
  /** The error of `sql` if it is blank. */
  blankQuery: string;
};

/** A kind whose sources can be changed field by field. */
type PatchableKind<N extends PatchableNoun = PatchableNoun> = RowSourceKind<N> & {
  patch: `patch${N}`;
  /** A change of a source that has every field. */
  patched: Fields<N>;
};

const idTypeMapping = [{ serviceUnitID: "userID", statsigUnitID: "userID", column: "customer_id" }];

/** Properties shared by kinds whose rows come from a query or a table. */
const ofTables = {
  required: { sql: "select * from orders", timestampColumn: "created_at", idTypeMapping },
  defaults: { timestampAsDay: false, sourceType: "query", tableName: "", customFieldMapping: [], isVerified: false },
  optional: {
    sql: "",
    timestampAsDay: true,
    sourceType: "table",
    tableName: "web.page_views",
    datePartitionColumn: "day",
    customFieldMapping: [{ key: "is_long", formula: "seconds > 60" }],
    isVerified: true,
  },
  blankQuery: "must not be empty with sourceType query",
} satisfies Partial<RowSourceKind<"MetricSource">>;

const metricSource: RowSourceKind<"MetricSource"> = {
  title: "Metric source",
  entityType: "metric_source",
  path: "/console/v1/metrics/metric_source",
  listPath: "/console/v1/metrics/metric_source/list",
  create: "createMetricSource",
  list: "listMetricSources",
  get: "getMetricSource",
  update: "updateMetricSource",
  delete: "deleteMetricSource",
  restore: "restoreMetricSourceVersion",
  ...ofTables,
};

const qualifyingEvent: RowSourceKind<"QualifyingEvent"> = {
  title: "Qualifying event",
  entityType: "qualifying_event",
  path: "/console/v1/experiments/qualifying_events",
  listPath: "/console/v1/experiments/qualifying_events",
  create: "createQualifyingEvent",
  list: "listQualifyingEvents",
  get: "getQualifyingEvent",
  update: "updateQualifyingEvent",
  delete: "deleteQualifyingEvent",
  restore: "restoreQualifyingEventVersion",
  ...ofTables,
};

const assignmentSource: PatchableKind<"AssignmentSource"> = {
  title: "Assignment source",
  entityType: "assignment_source",
  path: "/console/v1/experiments/assignment_source",
  listPath: "/console/v1/experiments/assignment_sources",
  create: "createAssignmentSource",
  list: "listAssignmentSources",
  get: "getAssignmentSource",
  update: "updateAssignmentSource",
  patch: "patchAssignmentSource",
  delete: "deleteAssignmentSource",
  restore: "restoreAssignmentSourceVersion",
  required: {
    sql: "select * from assignments",
    timestampColumn: "shown_at",
    experimentIDColumn: "experiment",
    groupIDColumn: "variant",
    idTypeMapping,
  },
  defaults: { isVerified: false },
  optional: { groupNameColumn: "variant_name", isVerified: true },
  patched: { groupIDColumn: "arm" },
  blankQuery: "must not be empty",
};

const entityPropertySource: PatchableKind<"EntityPropertySource"> = {
  title: "Entity property source",
  entityType: "entity_property_source",
  path: "/console/v1/experiments/entity_property",
  listPath: "/console/v1/experiments/entity_properties",
  create: "createEntityPropertySource",
  list: "listEntityPropertySources",
  get: "getEntityPropertySource",
  update: "updateEntityPropertySource",
  patch: "patchEntityPropertySource",
  delete: "deleteEntityPropertySource",
  restore: "restoreEntityPropertySourceVersion",
  required: { sql: "select * from customers", idTypeMapping },
  defaults: { timestampColumn: "", timestampAsDay: false },
  optional: { timestampColumn: "since", timestampAsDay: true },
  patched: { timestampColumn: "" },
  blankQuery: "must not be empty",
};

/** Kinds whose rows come from a query or a table. */
export const tableSourceKinds: RowSourceKind[] = [metricSource, qualifyingEvent];

/** Kinds whose rows come from a query, with an operation that changes some fields. */
export const patchableKinds: PatchableKind[] = [assignmentSource, entityPropertySource];

export const rowSourceKinds: RowSourceKind[] = [...tableSourceKinds, ...patchableKinds];

/** Another value than the default for every field that is not required. */
export async function everyField(server: TestServer, kind: RowSourceKind): Promise<object> {
  return {
    ...kind.optional,
    description: "Every view of a page.",
    tags: ["web"],
    isReadOnly: true,
    owner: { ownerID: "usr_1", ownerType: "USER", ownerName: "Ada", ownerEmail: "" },
    team: "Web",
    teamID: await makeTeam(server),
  };
}

/** Creates a source with the required fields and the given ones. The server alone checks the body, whose type depends on the kind. */
export function createSource({ client }: TestServer, kind: RowSourceKind, name: string, given: object = {}) {
  const body: any = { name, ...kind.required, ...given };
  return client[kind.create]({ body });
}

/** Updates a source with the required fields and the given ones. */
export function updateSource({ client }: TestServer, kind: RowSourceKind, name: string, given: object = {}, ifMatch?: string) {
  const body: any = { ...kind.required, ...given };
  return client[kind.update]({ path: { name }, body, ifMatch });
}
