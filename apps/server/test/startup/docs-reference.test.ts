import { readFileSync } from "node:fs";
import { type OperationDescription, valueAt } from "@gatehouse/contract";
import { descriptions as consoleDescriptions } from "@gatehouse/contract/console";
import consoleDocument from "@gatehouse/contract/console.json" with { type: "json" };
import { descriptions as evaluationDescriptions } from "@gatehouse/contract/evaluation";
import evaluationDocument from "@gatehouse/contract/evaluation.json" with { type: "json" };
import { expect, test } from "vitest";
import { STATUS } from "../../src/common/errors.ts";
import { readConfig } from "../../src/startup/config.ts";
import { readPages } from "../support/documentation.ts";

// The tables of the reference pages match the contract and the code exactly.

const pages = readPages();

/** The rows of a page's tables, without their headers. */
function readRows(page: string): string[][] {
  const lines = (pages.get(page) ?? "").split("\n");
  return lines.flatMap((line, index) => {
    const isRow = line.startsWith("|") && !/^\| ?-/.test(line) && !/^\| ?-/.test(lines[index + 1] ?? "");
    return isRow
      ? [
          line
            .split("|")
            .slice(1, -1)
            .map((cell) => cell.trim()),
        ]
      : [];
  });
}

const withoutTicks = (text = "") => text.replaceAll("`", "");

test("the page of errors has each code of the contract with its status, and each error code of OFREP with its statuses", () => {
  const codes = (valueAt(consoleDocument, "#/components/schemas/ErrorCode") as { enum: string[] }).enum;
  const flagCodes = (valueAt(evaluationDocument, "#/components/schemas/FlagError/properties/errorCode") as unknown as { enum: string[] })
    .enum;
  const flagStatuses = Object.values(evaluationDescriptions)
    .filter(({ path }) => path.startsWith("/ofrep/"))
    .flatMap(({ statuses }) => [...statuses]);
  const rows = readRows("reference/errors.md").map(([status = "", code]) => ({ status, code: withoutTicks(code) }));
  const isOfrep = ({ code }: { code: string }) => code === code.toUpperCase();
  expect(rows.filter((row) => !isOfrep(row))).toEqual(
    codes
      .map((code) => ({ status: String(STATUS[code as keyof typeof STATUS]), code }))
      .sort((a, b) => Number(a.status) - Number(b.status)),
  );
  const ofrep = rows.filter(isOfrep);
  expect(ofrep.map(({ code }) => code).sort()).toEqual([...flagCodes].sort());
  expect([...new Set(ofrep.flatMap(({ status }) => status.split(", ").map(Number)))].sort()).toEqual(
    [...new Set(flagStatuses.filter((status) => status >= 400))].sort(),
  );
});

type Keyword = "maxItems" | "maxLength" | "maximum";
type Document = typeof consoleDocument | typeof evaluationDocument;

/** A bound of a schema of the contract. @param place below the schemas, such as `GivenRules` */
function bound(document: Document, place: string, keyword: Keyword): number {
  return (valueAt(document, `#/components/schemas/${place}`) as Record<Keyword, number>)[keyword];
}

const ofConsole = (place: string, keyword: Keyword = "maxItems") => bound(consoleDocument, place, keyword);
const ofEvaluation = (place: string, keyword: Keyword = "maxItems") => bound(evaluationDocument, place, keyword);

/** The number of a constant in a file of the server, which may be a product or a power. */
function constant(file: string, name: string): number {
  const text = readFileSync(new URL(`../../src/${file}`, import.meta.url), "utf8");
  const [, expression = ""] = new RegExp(`const ${name} = ([\\d_ *]+);`).exec(text) ?? [];
  const powers = expression.replaceAll("_", "").split(/ \* /);
  return powers.reduce((product, power) => {
    const [base = Number.NaN, exponent = 1] = power.split("**").map(Number);
    return product * base ** exponent;
  }, 1);
}

const count = (number: number, unit = "") => `${number.toLocaleString("en-US")}${unit && ` ${unit}`}`;
const mebibytes = (bytes: number) => count(bytes / 2 ** 20, "MiB");
const hours = (ms: number) => count(ms / 3_600_000, "hours");
const sizes = ({ body }: OperationDescription) => ({ bytes: body?.maxBytes ?? Number.NaN, values: body?.maxValues ?? Number.NaN });
const { createGate, createExperiment, createSegment, createMetric, resetSegmentIDList } = consoleDescriptions;
const { checkGate, logEvent } = evaluationDescriptions;
const settings = readConfig({});

const LIMITS: [limit: string, value: string][] = [
  ["Rules of a gate, dynamic config or segment", count(constant("console/common/rule.ts", "MAX_RULES"))],
  ["Length of the name of an entity", count(ofConsole("DisplayName", "maxLength"), "characters")],
  ["Length of the name of a metric", count(ofConsole("MetricName", "maxLength"), "characters")],
  ["Length of the name of a rule", count(ofConsole("RuleProperties/properties/name", "maxLength"), "characters")],
  ["Length of a description", count(ofConsole("Description", "maxLength"), "characters")],
  ["Tags of an entity", count(ofConsole("TagNames"))],
  ["Target apps of an entity", count(ofConsole("TargetApps"))],
  ["IDs in one list of overrides", count(ofConsole("OverrideIDs"))],
  ["Lists of overrides by environment", count(ofConsole("OverrideListsProperties/properties/environmentOverrides"))],
  ["Groups, gates and segments in experiment overrides", count(ofConsole("ExperimentOverridesProperties/properties/overrides"))],
  ["Environments of a project", count(ofConsole("EnvironmentSetUpdate/properties/environments"))],
  ["Environments of a key", count(ofConsole("KeyProperties/properties/environments"))],
  ["Allowed addresses of a key", count(ofConsole("KeyProperties/properties/allowedAddresses"))],
  ["Variants of an autotune", count(ofConsole("GivenAutotuneVariants"))],
  ["Members of a team", count(ofConsole("TeamEmails"))],

  ["IDs of a segment", count(constant("console/segments/segment-ids.ts", "MAX_IDS"))],
  ["IDs in one request", count(ofConsole("SegmentIDs/properties/ids"))],
  ["IDs in one request, for the type `user_store_id_list`", count(ofConsole("SegmentUserStoreIDs/properties/ids"))],
  ["Body of a request with IDs", mebibytes(sizes(resetSegmentIDList).bytes)],
  ["Length of an ID in UTF-8", count(constant("console/segments/segment-ids.ts", "MAX_ID_BYTES"), "bytes")],
  ["IDs of a list that rulesets contain; longer ones are files", count(constant("console/evaluated-project.ts", "MAX_INLINE_IDS"))],

  ["Events of a metric", count(ofConsole("MetricProperties/properties/metricEvents"))],
  ["Conditions of an event", count(ofConsole("MetricEvent/properties/criteria"))],
  ["Values in a condition", count(ofConsole("MetricCriterion/properties/values"))],
  ["Steps of a funnel", count(ofConsole("MetricProperties/properties/funnelEventList"))],
  ["Metrics of one sort in an experiment", count(ofConsole("MetricReferences"))],
  ["Values of a field that results are divided by", count(constant("results/sql/dimension-counts.ts", "MAX_VALUES"))],
  ["Time for a preview of a metric or a division of results", count(constant("http/console/analyses.ts", "LIMIT_MS") / 1_000, "seconds")],
  ["Time for a run of a prompt", count(constant("http/console/analyses.ts", "MODEL_LIMIT_MS") / 1_000, "seconds")],
  ["Stored events of one alert", count(constant("console/alerts/alert-check-store.ts", "MAX_EVENTS"))],

  ["Body", mebibytes(sizes(createGate).bytes)],
  ["Values in a body, at any depth", count(sizes(createGate).values)],
  [
    "Values in the body of an experiment, a segment or a metric",
    [...new Set([createExperiment, createSegment, createMetric].map((operation) => count(sizes(operation).values)))].join(),
  ],
  ["Nesting of a body", count(constant("http/common/body-rules.ts", "MAX_DEPTH"), "levels")],
  ["Requests in a batch", count(ofConsole("Batch/properties/requests"))],
  ["Characters in all responses of a batch", count(constant("http/console/contained-requests.ts", "MAX_ANSWER_LENGTH"))],
  ["Code references of a branch", count(ofConsole("CodeReferencesUpdate/properties/references"))],
  ["Requests that an applied configuration needs", count(constant("console/configuration/plan.ts", "MAX_REQUESTS"))],
  ["Pending scheduled changes in a project", count(constant("changes/store-change.ts", "MAX_WAITING"))],
  ["Earlier pending changes to the same entities", count(constant("changes/foresee.ts", "MAX_EARLIER"))],
  ["Requests in those earlier changes, in total", count(constant("changes/foresee.ts", "MAX_EARLIER_REQUESTS"))],
  ["Length of the body of a scheduled or reviewed change", count(constant("changes/store-change.ts", "MAX_BODY_LENGTH"), "characters")],
  [
    "Length of the `changes` of a scheduled or reviewed change",
    count(constant("changes/store-change.ts", "MAX_CHANGES_LENGTH"), "characters"),
  ],
  ["Open reviews in a project", count(constant("console/reviews/review-store.ts", "MAX_OPEN"))],
  ["Comments on an entity", count(constant("console/comments/comment-store.ts", "MAX_COMMENTS"))],
  ["Notes on the results of an entity", count(constant("console/result-notes/result-note-store.ts", "MAX_NOTES"))],
  ["Length of a note on results", count(ofConsole("ResultNoteText", "maxLength"), "characters")],
  ["Comments on a review", count(constant("console/reviews/review.ts", "MAX_COMMENTS"))],
  ["Approvals and rejections of a review", count(constant("console/reviews/review.ts", "MAX_APPROVALS"))],
  ["People whom a comment mentions", count(ofConsole("Mentions"))],
  ["Length of a comment", count(ofConsole("CommentText", "maxLength"), "characters")],
  [
    "Notifications of a person in a project; older ones are deleted within an hour",
    count(constant("console/notifications/progress-store.ts", "MAX_KEPT")),
  ],
  ["People who are notified of one event", count(constant("jobs/notifications.ts", "MAX_NOTIFIED"))],
  ["Webhooks of a project", count(constant("console/webhooks/webhook-store.ts", "MAX_WEBHOOKS"))],
  ["Events that wait for a webhook before the audit log keeps the rest", count(constant("console/webhooks/queue-store.ts", "MAX_WAITING"))],
  ["Body of a webhook's answer in its deliveries", count(constant("webhooks/post.ts", "MAX_BODY"), "characters")],
  ["Emails to a person", count(constant("jobs/emails-store.ts", "MAX_TO_PERSON"), "an hour")],
  ["Password reset links that a person can request", count(constant("accounts/password-reset-requests.ts", "MAX_LINKS"), "an hour")],
  ["Invitations by email to a person", count(constant("jobs/emails-store.ts", "MAX_INVITATIONS_TO_PERSON"), "a day")],
  ["Invitations by email of a project", count(constant("jobs/emails-store.ts", "MAX_INVITATIONS_OF_PROJECT"), "a day")],
  ["Emails of a project that wait", count(constant("store/emails/outbox.ts", "MAX_WAITING"))],
  ["Password reset requests that wait", count(constant("store/emails/outbox.ts", "MAX_WAITING_REQUESTS"))],
  ["Versions of a prompt", count(constant("console/prompts/prompt.ts", "MAX_VERSIONS"))],
  ["All versions of a prompt", count(constant("console/prompts/prompt.ts", "MAX_TEXT"), "characters")],
  ["Widgets of a dashboard", count(ofConsole("DashboardProperties/properties/widgets"))],
  ["Text of a widget", count(ofConsole("DashboardWidget/properties/text", "maxLength"), "characters")],
  ["Days of a metric on a dashboard", count(ofConsole("DashboardWidget/properties/days", "maximum"), "days")],
  ["Rows of a prompt dataset", count(ofConsole("PromptDatasetProperties/properties/rows"))],
  ["All rows of a prompt dataset", count(constant("console/prompt-datasets/prompt-dataset.ts", "MAX_TEXT"), "characters")],
  ["Rows of a prompt dataset as CSV", count(ofConsole("PromptDatasetCSV/properties/csv", "maxLength"), "characters")],
  ["Graders of a prompt", count(ofConsole("PromptEvaluationSetup/properties/graders"))],
  ["Evaluations of a project that wait or run", count(constant("console/prompt-evaluations/prompt-evaluation.ts", "MAX_UNFINISHED"))],
  ["Messages of a prompt with the values of a row", count(constant("console/prompts/render.ts", "MAX_RENDERED"), "characters")],
  ["Output of a model", count(constant("models/chat.ts", "MAX_OUTPUT"), "characters")],
  ["Stored part of an output", count(constant("jobs/evaluations/run-evaluation.ts", "MAX_STORED"), "characters")],
  ["Time for an answer of a model", count(constant("models/send.ts", "TIMEOUT_MS") / 1_000, "seconds")],
  [
    "Items on a page",
    count((valueAt(consoleDocument, "#/components/parameters/limit") as unknown as { schema: { maximum: number } }).schema.maximum),
  ],
  ["Violations that an error lists", count(constant("common/errors.ts", "MAX_VIOLATIONS"))],
  ["Users in a preview", count(ofConsole("EvaluationRequest/properties/users"))],
  ["Evaluations for the impact of a change", count(constant("evaluation/previews/previews.ts", "MAX_EVALUATIONS"))],
  ["Writes of a key or person in ten seconds", count(Number(settings.writeLimit))],
  ["Time that an `Idempotency-Key` is remembered", hours(constant("store/requests/idempotency.ts", "RETENTION_MS"))],
  ["Remembered responses of a key", mebibytes(constant("store/requests/idempotency.ts", "MAX_KEPT_BYTES"))],
  ["Open streams of changes on a server", count(constant("http/console/change-streams.ts", "MAX_STREAMS"))],
  ["Open streams of changes of a caller", count(constant("http/console/change-streams.ts", "MAX_STREAMS_PER_CALLER"))],
  ["Message to the [MCP server](/automate/mcp)", mebibytes(constant("http/console/mcp/mcp-router.ts", "MAX_BYTES"))],
  ["Characters in the result of an MCP tool", count(constant("http/console/mcp/results.ts", "MAX_RESULT_LENGTH"))],

  ["Body", mebibytes(sizes(checkGate).bytes)],
  ["Body of a batch of events", mebibytes(sizes(logEvent).bytes)],
  ["Events in a batch", count(ofEvaluation("EventBatch/properties/events"))],
  ["Exposures in one request of `logCustomExposure`", count(ofEvaluation("CustomExposureBatch/properties/exposures"))],
  ["Length of the name of an event", count(constant("evaluation/events/logged-event.ts", "MAX_NAME_LENGTH"), "characters")],
  ["Fields of a user that are stored with an event", count(constant("evaluation/events/user-fields.ts", "MAX_BYTES") / 2 ** 10, "KiB")],
  ["Gates in one request of `checkGate`", count(ofEvaluation("GateCheckRequest/properties/gateNames"))],
  ["Open streams of flag changes on a server", count(settings.maxStreams)],
  ["Open streams of flag changes of a key", count(settings.maxStreamsPerKey)],

  ["Failed attempts for one account from one address in 15 minutes", count(constant("accounts/attempts.ts", "MAX_OF_BOTH"))],
  ["Failed attempts for one account in 15 minutes", count(constant("accounts/attempts.ts", "MAX_OF_ACCOUNT"))],
  ["Failed attempts from one address in 15 minutes", count(constant("accounts/attempts.ts", "MAX_OF_ADDRESS"))],
  [
    "Unredeemed device logins from one address in 15 minutes",
    count(constant("accounts/device-logins/device-login-limits.ts", "MAX_LOGINS_OF_ADDRESS")),
  ],
  [
    "Unknown device codes from one address in 15 minutes",
    count(constant("accounts/device-logins/device-login-limits.ts", "MAX_UNKNOWN_OF_ADDRESS")),
  ],
  [
    "Wrong login codes entered by one person in 15 minutes",
    count(constant("accounts/device-logins/device-login-limits.ts", "MAX_WRONG_CODES")),
  ],
  ["Open device logins, across all replicas", count(constant("accounts/device-logins/device-login-store.ts", "MAX_OPEN"))],
  ["Sessions of a person at a time", count(constant("tokens/person-sessions-store.ts", "MAX_SESSIONS"))],
  ["Passkeys of a person", count(constant("accounts/second-factors/own-passkeys.ts", "MAX_PASSKEYS"))],
  ["Time without a request until a session ends", count(settings.sessionIdleHours, "hours")],
  ["Time until a session ends", count(settings.sessionDays, "days")],

  ["Days that events are kept, unless you change it", count(settings.eventRetentionDays, "days")],
  [
    "Days that events of running experiments, gates and holdouts are kept",
    count(constant("evaluation/events/kept-events.ts", "MAX_KEPT_DAYS"), "days"),
  ],
];

test("the page of limits has the limits of the contract and of the code", () => {
  expect(readRows("reference/limits.md").map(([limit = "", value = ""]) => [limit, value])).toEqual(LIMITS);
});

test("the page of permissions names permissions that exist", () => {
  const known = Object.keys((valueAt(consoleDocument, "#/components/schemas/Permissions") as unknown as { properties: object }).properties);
  const named = readRows("reference/permissions.md").flatMap(([, needs = ""]) => [...needs.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(named.filter((name) => name !== undefined && !known.includes(name))).toEqual([]);
  expect(named.length).toBeGreaterThan(5);
});
