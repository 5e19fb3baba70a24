// Compiled by `check`, never run: the requests that `batch` accepts, and the types of its answers.
import type { Schema } from "@gatehouse/contract/console";
import type { BatchItem, BatchRequest } from "./batch.ts";
import type { ConsoleClient } from "./clients.ts";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const proof = <_ extends true>() => {};

declare const api: ConsoleClient;

const { data, changes, isReplayed } = await api.batch({
  requests: [
    { operationId: "createGate", body: { name: "checkout", tags: ["shop"] } },
    { operationId: "patchGate", path: { id: "checkout" }, body: { description: "Better." }, ifMatch: '"1"' },
    { operationId: "listTags", query: { limit: 10 } },
    { operationId: "deleteTag", path: { id: "old" } },
    { operationId: "archiveGate", path: { id: "old" } },
  ],
  query: { dryRun: true },
  idempotencyKey: "once",
  signal: AbortSignal.timeout(1000),
});
const [created, patched, listed, deleted] = data;
proof<Equal<(typeof created)["status"], 201>>();
proof<Equal<typeof created, BatchItem<"createGate">>>();
patched.body.data satisfies Schema<"Gate">;
patched.etag satisfies string | undefined;
proof<Equal<(typeof listed)["body"]["data"][number]["name"], string>>();
deleted.body.message satisfies string;
proof<Equal<(typeof data)["length"], 5>>();
changes satisfies Schema<"EntityChanges"> | undefined;
isReplayed satisfies true | undefined;
// @ts-expect-error: the batch has five answers
data[5];
// @ts-expect-error: a deletion answers only a message
deleted.body.data;

// A list whose length is not known answers as many items of any of its operations.
declare const ids: string[];
const many = await api.batch({
  requests: ids.map((id) => ({ operationId: "patchGate" as const, path: { id }, body: { isEnabled: false } })),
});
proof<Equal<(typeof many)["data"], BatchItem<"patchGate">[]>>();
declare const mixed: BatchRequest<"getGate" | "deleteGate">[];
const some = await api.batch({ requests: mixed });
proof<Equal<(typeof some)["data"][number]["status"], 200>>();

// @ts-expect-error: no operation has this name
api.batch({ requests: [{ operationId: "patchGates", path: { id: "a" }, body: {} }] });
// @ts-expect-error: a batch contains no batch
api.batch({ requests: [{ operationId: "batch", body: { requests: [] } }] });
// @ts-expect-error: nor an operation of one's own session
api.batch({ requests: [{ operationId: "listSessions" }] });
// @ts-expect-error: nor one of the instance
api.batch({ requests: [{ operationId: "deleteProject", path: { id: "a" } }] });
// @ts-expect-error: nor one that can answer lines
api.batch({ requests: [{ operationId: "listAuditLogs" }] });
// @ts-expect-error: the path parameter is missing
api.batch({ requests: [{ operationId: "getGate" }] });
// @ts-expect-error: the body is missing
api.batch({ requests: [{ operationId: "createGate" }] });
// @ts-expect-error: a gate has no such field
({ operationId: "createGate", body: { name: "checkout", colour: "red" } }) satisfies BatchRequest;
// @ts-expect-error: the version is read-only
api.batch({ requests: [{ operationId: "patchGate", path: { id: "a" }, body: { version: 2 } }] });
// @ts-expect-error: creating takes no If-Match
api.batch({ requests: [{ operationId: "createGate", body: { name: "checkout" }, ifMatch: "*" }] });
// @ts-expect-error: the whole batch is a dry run, or none of it
api.batch({ requests: [{ operationId: "createGate", body: { name: "checkout" }, query: { dryRun: true } }] });
// With a time the batch is scheduled, and answers no items.
const { data: scheduled } = await api.schedule.batch({
  requests: [{ operationId: "enableGate", path: { id: "a" } }],
  query: { applyAt: 1763800000000, reason: "The sale begins." },
});
scheduled satisfies Schema<"ScheduledChange">;
const { data: enabling } = await api.schedule.enableGate({ path: { id: "a" }, query: { applyAt: 1763800000000 } });
enabling satisfies Schema<"ScheduledChange">;
const { data: enabled } = await api.enableGate({ path: { id: "a" }, query: { reason: "Now." } });
enabled satisfies Schema<"Gate">;
// Changes of a state, patches, and batches of them can repeat.
api.schedule.disableGate({
  path: { id: "a" },
  query: { applyAt: 1763800000000, repeat: ["MONDAY", "FRIDAY"], repeatUntil: 1795336000000 },
});
api.schedule.patchGate({ path: { id: "a" }, body: { isEnabled: true }, query: { applyAt: 1763800000000, repeat: ["MONDAY"] } });
api.schedule.batch({ requests: [], query: { applyAt: 1763800000000, repeat: ["MONDAY"] } });
// @ts-expect-error: a creation can't
api.schedule.createGate({ body: { name: "a" }, query: { applyAt: 1763800000000, repeat: ["MONDAY"] } });
// @ts-expect-error: the time is missing
api.schedule.enableGate({ path: { id: "a" } });
// @ts-expect-error: what is scheduled is stored
api.schedule.enableGate({ path: { id: "a" }, query: { applyAt: 1763800000000, dryRun: true } });
// @ts-expect-error: this method makes the change now
api.enableGate({ path: { id: "a" }, query: { applyAt: 1763800000000 } });
// @ts-expect-error: a key shows its secret once
api.schedule.createKey;

// @ts-expect-error: ifMatch belongs to each request
api.batch({ requests: [], ifMatch: "*" });
