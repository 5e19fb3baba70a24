import { createApp } from "../../src/app.ts";
import { verifyAuditLog } from "../../src/cli/audit.ts";
import { startEvaluation } from "../../src/evaluation/evaluation-services.ts";
import { createLog } from "../../src/common/log.ts";
import { createSchemaChecker } from "../../src/schema-checks/schema-checker.ts";
import { serve } from "../../src/startup/serve.ts";
import type { Database } from "../../src/store/database/database.ts";
import type { Finding } from "../../src/store/change-log/verify-audit-log.ts";
import { withWarehouses } from "../../src/warehouse/warehouses.ts";
import { asPerson } from "../support/sessions.ts";
import { TEST_SESSION } from "../support/template-database.ts";
import { type Applied, openRestored } from "./dump.ts";

/** A request to a restored server. */
export type Request = { method: string; path: string; headers?: Record<string, string>; hasSession?: boolean; body?: unknown };

export type Answer = { status: number; body: unknown };

/** A released version's data beside its dump. */
export type Release = {
  /** The server's clock, ms. It stands still to keep data from expiring. */
  now: number;
  migrations: Applied[];
  /** The numbers of verified entries by project. */
  trail: Record<string, unknown>;
  answers: (Request & { answer: Answer })[];
};

/** Replaces the address of the server in texts. */
const ADDRESS = "http://gatehouse.example";

/** Starts this version on a restored dump, sends requests one after the other, and verifies the audit log. */
export async function askRestored(
  folder: URL,
  { now, migrations }: Pick<Release, "now" | "migrations">,
  requests: Request[],
): Promise<{ answers: Answer[]; trail: Record<string, unknown>; findings: Finding[] }> {
  const restored = await openRestored(folder, migrations);
  const findings: Finding[] = [];
  const trail = await verifyAuditLog(restored, [], (finding) => findings.push(finding), now);
  const server = await startAt(restored, now);
  try {
    const answers: Answer[] = [];
    for (const request of requests) answers.push(await ask(server.url, request));
    return { answers, trail: Object.fromEntries(trail), findings };
  } finally {
    await server.close();
  }
}

async function startAt(restored: Database, time: number) {
  const database = withWarehouses(restored, { hosts: ["127.0.0.1"], secretKey: "a secret key of at least 32 characters" });
  const log = createLog("silent", { write() {} });
  const now = () => time;
  const evaluation = startEvaluation({ database, log, now, keepsUserFields: true });
  const schemaChecker = createSchemaChecker();
  const app = createApp({ database, evaluation, schemaChecker, log, strictResponses: true, now });
  const server = await serve(app, { host: "127.0.0.1", port: 0 });
  return {
    url: server.url,
    async close() {
      app.endStreams();
      await server.drain(1_000);
      await Promise.all([evaluation.close(), schemaChecker.close()]);
      await restored.close();
    },
  };
}

async function ask(url: string, { method, path, headers, hasSession = false, body }: Request): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...headers, ...(hasSession && asPerson(TEST_SESSION)), ...(body !== undefined && { "Content-Type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = (await response.text()).replaceAll(url, ADDRESS);
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
  return { status: response.status, body: isJson ? JSON.parse(text) : text };
}
