import { type ConsoleClient, createConsoleClient, createEvaluationClient, type EvaluationClient } from "@gatehouse/client";
import type { Logger } from "pino";
import { createApp } from "../../src/app.ts";
import type { AppOptions } from "../../src/app-options.ts";
import type { Instruments } from "../../src/common/instruments.ts";
import { createLog } from "../../src/common/log.ts";
import type { EmailSettings } from "../../src/email/email-settings.ts";
import { withEmails } from "../../src/email/emails.ts";
import { type EvaluationOptions, startEvaluation } from "../../src/evaluation/evaluation-services.ts";
import { scheduledChanges } from "../../src/jobs/scheduled-changes.ts";
import { withModels } from "../../src/models/models.ts";
import { createSchemaChecker } from "../../src/schema-checks/schema-checker.ts";
import { serve } from "../../src/startup/serve.ts";
import { type WarehouseSettings, withWarehouses } from "../../src/warehouse/warehouses.ts";
import { withWebhooks } from "../../src/webhooks/webhooks.ts";
import { connectAgain, createTestDatabase, type TestDatabase } from "./database.ts";
import { accessAt } from "./operations.ts";
import { readLogLine } from "./server-log.ts";
import { asPerson } from "./sessions.ts";
import { TEST_KEY, TEST_SESSION } from "./template-database.ts";

export type TestServer = {
  url: string;
  key: string;
  /** The project's own client, with the console key and without retries. */
  client: ConsoleClient;
  evaluation: EvaluationClient;
  database: TestDatabase;
  /** The server's time, ms. Only tests move it. */
  clock: { now: number };
  /** The lines that the server logged, and their writer. */
  logged: string[];
  log: Logger;
  instruments: Instruments;
  /**
   * Sends a raw request with JSON bodies, for requests that the client would not send. Without `key`, it has the access that the operation
   * needs: the console key, or the administrator's session.
   */
  send(method: string, path: string, options?: SendOptions): Promise<{ status: number; headers: Headers; body: any; text: string }>;
  /** Makes the scheduled changes that are due, as the server's job does. */
  applyDue(): Promise<void>;
  /** Stores the requests of SDKs that are counted in memory. */
  flushSdkReports(): Promise<void>;
  /** Runs the warm-up of a started server. */
  prepareRulesets(): Promise<void>;
  /** Starts another server on the same database; on Postgres with its own connections, to the address of `at`. Close it first. */
  replica(at?: TestDatabase, options?: ServerOptions): Promise<TestServer>;
  close(): Promise<void>;
};

type SendOptions = { body?: unknown; rawBody?: string; headers?: Record<string, string>; key?: string | null };

type ServerOptions = Partial<AppOptions> &
  Pick<EvaluationOptions, "streams" | "keepsUserFields" | "maxWaiting"> & { email?: EmailSettings };

/** Starts a server with its own database, and with strict validation of responses. */
export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  return startOver(await createTestDatabase(), undefined, options);
}

/** The warehouses that the operator of a test server set up. */
const WAREHOUSES: WarehouseSettings = {
  hosts: ["warehouse.example.com", "127.0.0.1"],
  secretKey: "a secret key of at least 32 characters",
};

/** The settings for webhooks. Those of tests listen at this address. */
const WEBHOOKS = { hosts: ["127.0.0.1"], secretKey: WAREHOUSES.secretKey };

/** The settings for models. Those of tests listen at this address. */
const MODELS = { hosts: ["models.example.com", "127.0.0.1"], secretKey: WAREHOUSES.secretKey };

/** Starts a server with a database of the caller. */
export async function startOver(
  given: TestDatabase,
  clock = { now: 1_763_700_000_000 },
  { streams, maxWaiting, keepsUserFields = true, now = () => clock.now, email, ...options }: ServerOptions = {},
): Promise<TestServer> {
  const { secretKey } = WAREHOUSES;
  const connected = given.db.warehouses
    ? given
    : withModels(withWebhooks({ ...given, ...withWarehouses(given, WAREHOUSES) }, { ...WEBHOOKS, publicUrl: options.publicUrl }), MODELS);
  const monitoring = () => ({ log, instruments: evaluation.instruments });
  const database = withEmails(connected, { secretKey, publicUrl: undefined, ...options, email }, monitoring) as TestDatabase;
  const logged: string[] = [];
  const log = createLog("debug", {
    write(line) {
      logged.push(line);
      readLogLine(line);
    },
  });
  const evaluation = startEvaluation({
    database,
    log,
    now,
    keepsUserFields,
    ...(streams && { streams }),
    ...(maxWaiting && { maxWaiting }),
  });
  const schemaChecker = createSchemaChecker();
  const app = createApp({ database, evaluation, schemaChecker, log, strictResponses: true, now, secretKey, ...options });
  const server = await serve(app, { host: "127.0.0.1", port: 0 });
  const clientOptions = { baseUrl: server.url, apiKey: TEST_KEY, retry: { attempts: 1 } };
  return {
    url: server.url,
    key: TEST_KEY,
    client: createConsoleClient(clientOptions),
    evaluation: createEvaluationClient(clientOptions),
    database,
    clock,
    logged,
    log,
    instruments: evaluation.instruments,
    send: (method, path, sendOptions) => sendTo(server.url, method, path, sendOptions),
    applyDue: () => scheduledChanges(app.executor).run({ database, log, now }),
    flushSdkReports: evaluation.sdkReports.flush,
    prepareRulesets: app.prepareRulesets,
    replica: (at = database, more = {}) =>
      startOver(connectAgain(at), clock, {
        ...options,
        ...(email && { email }),
        now,
        keepsUserFields,
        ...(streams && { streams }),
        ...more,
      }),
    async close() {
      evaluation.flagStreams.close();
      app.endStreams();
      await server.drain(1_000);
      await Promise.all([evaluation.close(), schemaChecker.close()]);
      await database.close();
    },
  };
}

export async function sendTo(
  url: string,
  method: string,
  path: string,
  { body, rawBody, headers, ...options }: SendOptions = {},
): ReturnType<TestServer["send"]> {
  const access = options.key === undefined ? accessAt(method, path) : undefined;
  const key = access === undefined ? (options.key === undefined ? TEST_KEY : options.key) : null;
  const hasSession = access === "session" || access === "administrator";
  const sent = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(key !== null && { "SERVICE-API-KEY": key }),
      ...(hasSession && asPerson(TEST_SESSION)),
      ...(sent !== undefined && { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(sent !== undefined && { body: sent }),
  });
  const text = await response.text();
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text, text };
}

/** The error of a rejected call: `expect(await refusal(client.getGate(…))).toEqual({ status: 404, … })` */
export async function refusal(call: Promise<unknown>): Promise<{ status: number; code: string; message: string; errors: unknown[] }> {
  const error = await call.then(
    () => {
      throw new Error("The call was expected to be refused and was answered.");
    },
    (reason) => reason,
  );
  const { status, code, message, errors } = error;
  return { status, code, message: message.replace(/^\w+: \d+ /, "").split("\n")[0], errors };
}

/** The 409 error of a call. `property` is the conflicting property. */
export function conflicting(message: string, property = "id") {
  return { status: 409, code: "conflict", message, errors: [{ property, errorMessage: message }] };
}

/** The 400 error of a call, with its violations: `invalid(["limit", "must be <= 100"])` */
export function invalid(...errors: [property: string, errorMessage: string][]) {
  return {
    status: 400,
    code: "invalid_request",
    message: "The request is not valid.",
    errors: errors.map(([property, errorMessage]) => ({ property, errorMessage })),
  };
}
