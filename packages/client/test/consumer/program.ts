import { type ClientOptions, ConsoleApiError, createConsoleClient, pages, type Schema, type Violation } from "@gatehouse/client";

const options: ClientOptions = { baseUrl: "http://127.0.0.1:4000", apiKey: "console-key", retry: { attempts: 2 } };
const api = createConsoleClient(options);

export async function firstEnabled(): Promise<Schema<"Gate"> | undefined> {
  for await (const gate of pages(api.listGates, { query: { tags: ["checkout"] } })) if (gate.isEnabled) return gate;
  return undefined;
}

export async function violations(name: string): Promise<Violation[]> {
  try {
    const { data, etag } = await api.createGate({ body: { name, rules: [] } });
    const version: number = data.version;
    const tag: string | undefined = etag;
    console.log(version, tag);
    return [];
  } catch (error) {
    if (error instanceof ConsoleApiError && error.code === "invalid_request") return error.errors;
    throw error;
  }
}

export async function rename(id: string, name: string, signal?: AbortSignal): Promise<void> {
  const { etag } = await api.getGate({ path: { id }, signal });
  await api.patchGate({ path: { id }, body: { name }, ifMatch: etag });
  for await (const { id } of pages(api.listExperiments)) console.log(id);
}

// @ts-expect-error: the body is required
api.createGate({});
// @ts-expect-error: a gate has no such field
api.createGate({ body: { name: "x", colour: "red" } });
// @ts-expect-error: the server owns this field
api.createGate({ body: { name: "x", createdTime: 1 } });
api.createGate({ body: { name: "x" }, idempotencyKey: "order-1", query: { dryRun: true } });
// @ts-expect-error: a read has no use for a key
api.getGate({ path: { id: "x" }, idempotencyKey: "order-1" });
