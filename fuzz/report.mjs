// The output and the exit code of a run.
import { operations } from "./contract.mjs";

const MAX_SHOWN = 1_500;

/**
 * * Operations that need no success in a whole run, each with its reason.
 * @type {Record<string, string>}
 */
const MAY_NEVER_SUCCEED = {
  ...reasons("needs the session of a person, and requests have keys", [
    ...[
      "listInstanceAuditLogs",
      "listPasswordResets",
      "listPeople",
      "getPerson",
      "patchPerson",
      "createPasswordReset",
      "deletePasswordReset",
    ],
    ...[
      "createProject",
      "createSampleProject",
      "deleteProject",
      "getSampleProject",
      "getSession",
      "updateSession",
      "deleteSession",
      "changePassword",
      "listSessions",
      "endSession",
    ],
    ...["findDeviceLogin", "approveDeviceLogin", "rejectDeviceLogin"],
  ]),
  ...reasons("needs a password, a token or a code, which no request can guess", [
    "createSession",
    "checkToken",
    "redeemToken",
    "redeemDeviceLogin",
  ]),
  ...reasons("needs an alert, which an hourly look at a hundred units raises", ["resolveGateAlert", "resolveExperimentAlert"]),
  ...reasons("always fails, since the server reads no Databricks", ["createDatabricksConnection"]),
  ...reasons("needs a host to which the server may connect, and it may to none", ["updateWarehouseConnection", "patchModelEndpoint"]),
  ...reasons("needs a model endpoint, which the project does not have", ["deleteModelEndpoint", "startPromptEvaluation"]),
  ...reasons("addresses an evaluation of a prompt, which needs a model endpoint", [
    ...["getPromptEvaluation", "listPromptEvaluationRows", "cancelPromptEvaluation"],
  ]),
  ...reasons("needs a warehouse, which the project does not have", [
    ...["createIngestionSource", "getIngestion", "patchIngestion", "deleteIngestion", "startIngestionBackfill", "getIngestionRun"],
    ...["getIngestionSource", "patchIngestionSource", "deleteIngestionSource"],
    ...["listIngestionSourceVersions", "restoreIngestionSourceVersion"],
  ]),
  ...reasons("needs an alert that a check raised, or one of its events, which the world does not list", ["resolveAlert", "getAlertEvent"]),
  ...reasons("needs a day to pass, as metrics are archived when the next one begins", ["unarchiveMetric"]),
  ...reasons("addresses a load of results by an id that the world does not list", [
    ...["getExperimentPulseLoad", "cancelExperimentPulseLoad", "getGatePulseLoad", "cancelGatePulseLoad"],
    ...["getHoldoutPulseLoad", "cancelHoldoutPulseLoad"],
  ]),
  ...reasons("addresses a version of a prompt by an id that the world does not list", ["deletePromptVersion"]),
  ...reasons("addresses a delivery of a webhook by an id that the world does not list", ["redeliverWebhookEvent"]),
  ...reasons("needs events of one metric on a day that requests name by chance", ["getMetricValue"]),
  ...reasons("needs a metric by its name and its type, which requests seldom guess while it exists", ["computePower"]),
  ...reasons("needs an SMTP server, which the server does not have", ["requestPasswordReset"]),
  ...reasons("needs an identity provider", ["startSingleSignOn", "finishSingleSignOn"]),
  ...reasons("addresses a person or a project by an id or address that the world does not list", [
    ...["getProjectByID", "patchProject", "updateProjectMember", "removeProjectMember"],
    ...["getUserByID", "getUser", "updateUser", "deleteInvitation"],
  ]),
  ...reasons("addresses a session, and the members never sign in", ["endPersonSession"]),
};

function reasons(reason, operationIds) {
  return Object.fromEntries(operationIds.map((id) => [id, reason]));
}

export function createReport({ seed, count, showsRefusals }) {
  const counts = new Map(operations.map(({ id }) => [id, { sent: 0, succeeded: 0, statuses: {} }]));
  const failures = [];
  const problems = [];
  const kinds = {};
  const refusals = new Map();
  let worst = { share: 0 };
  const begin = performance.now();
  const say = (line) => process.stdout.write(`${line}\n`);

  return {
    start: (url, slowness) => say(`${count} requests to ${url}, seed ${seed}, this machine's slowness ${slowness.toFixed(2)}`),
    failures: () => failures.length,
    count({ id }, { kind }, { answers }) {
      const of = counts.get(id);
      kinds[kind] ??= { sent: 0, succeeded: 0 };
      for (const { status, text } of answers) {
        if (kind === "valid" && status >= 400)
          refusals.set(`${id} ${status} ${text.slice(0, 300)}`, (refusals.get(`${id} ${status} ${text.slice(0, 300)}`) ?? 0) + 1);
        of.sent += 1;
        kinds[kind].sent += 1;
        of.statuses[status] = (of.statuses[status] ?? 0) + 1;
        if (status < 300) {
          of.succeeded += 1;
          kinds[kind].succeeded += 1;
        }
      }
    },
    heavy(plan, spent, allowed) {
      if (spent / allowed > worst.share)
        worst = { share: spent / allowed, text: `${plan.id}${plan.large ? `, ${plan.large}` : ""}: ${spent} of ${Math.round(allowed)} ms` };
    },
    batch: (sent, mean, memory) => say(`${String(sent).padStart(8)} sent   ${mean.toFixed(2)} ms of CPU a request   ${memory} MB`),
    memory: (memory, limit) => say(`resident at the end ${memory} MB (≤ ${limit})`),
    problem(text) {
      problems.push(text);
      say(`PROBLEM ${text}`);
    },
    failure({ index, operation, plan, outcome, error, curl, logged }) {
      failures.push(index);
      say(`\nFAILED ${operation.id} (${plan.kind}): ${error.message}`);
      say(
        `  again   pnpm fuzz --seed ${seed} --only ${index}${plan.wire.kind === "plain" ? "" : `   (${plan.wire.kind}, which curl does not send)`}`,
      );
      say(`  request ${curl.slice(0, 6_000)}`);
      for (const { status, text } of outcome.answers ?? []) say(`  answer  ${status} ${text.slice(0, MAX_SHOWN)}`);
      for (const line of logged) say(`  log     ${line}`);
    },
    /** @returns the exit code */
    end({ isFull }) {
      say(`\n${"operation".padEnd(36)}${"answers".padStart(8)}${"2xx".padStart(7)}   statuses`);
      for (const [id, { sent, succeeded, statuses }] of counts) {
        const share = sent === 0 ? "-" : `${Math.round((100 * succeeded) / sent)}%`;
        say(
          `${id.padEnd(36)}${String(sent).padStart(8)}${share.padStart(7)}   ${Object.entries(statuses)
            .map((pair) => pair.join(": "))
            .join(", ")}`,
        );
      }
      for (const [kind, { sent, succeeded }] of Object.entries(kinds))
        say(`${kind}: ${sent} answers, ${Math.round((100 * succeeded) / sent)}% of them 2xx`);
      if (showsRefusals) for (const [text, times] of [...refusals].sort((a, b) => b[1] - a[1])) say(`refused ${times} times: ${text}`);
      say(`the most costly large body: ${worst.text ?? "none"}`);
      const silent = [...counts]
        .filter(([id, { succeeded }]) => succeeded === 0 && !Object.hasOwn(MAY_NEVER_SUCCEED, id))
        .map(([id]) => id);
      if (isFull && silent.length > 0) problems.push(`never answered 2xx: ${silent.join(", ")}`);
      const seconds = (performance.now() - begin) / 1000;
      say(
        `${seconds.toFixed(0)} s; ${failures.length} failures, ${problems.length} problems${problems.map((text) => `\n  ${text}`).join("")}`,
      );
      return failures.length + problems.length > 0 ? 1 : 0;
    },
  };
}
