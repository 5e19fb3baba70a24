// Evaluations of a prompt at a model that always answers, and what became of them.
import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

const ROWS = 12;
/** How long the model thinks, ms: an evaluation lasts about as long as a fault. */
const ANSWER_MS = 300;
/** An evaluation whose replica was killed is taken over once its lease has ended, ms. */
const FINISH_TIMEOUT_MS = 180_000;

/** Starts a server whose models repeat the last message. */
export async function startModel() {
  const server = createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk)).on("error", () => {});
    request.once("end", async () => {
      const { messages } = JSON.parse(Buffer.concat(chunks).toString());
      await pause(ANSWER_MS);
      response.writeHead(200, { "Content-Type": "application/json" });
      response.end(JSON.stringify({ choices: [{ message: { role: "assistant", content: messages.at(-1).content } }] }));
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${server.address().port}`;
  return {
    url: `http://${host}/v1`,
    env: { GATEHOUSE_MODEL_HOSTS: host },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Creates a prompt that the model answers. @returns the path that starts an evaluation of it */
export async function makePrompt({ url }, ask) {
  await ask("PATCH", "/console/v1/model_endpoint", { url, defaultModel: "small" });
  const rows = Array.from({ length: ROWS }, (_, index) => ({ input: { number: String(index) }, expected: String(index) }));
  await ask("POST", "/console/v1/prompt_datasets", { name: "numbers", rows });
  const evaluation = { datasetID: "numbers", graders: [{ name: "Same", type: "equals" }] };
  await ask("POST", "/console/v1/prompts", { name: "repeated", evaluation });
  const prompts = [{ role: "user", content: "{{number}}" }];
  const { data } = await ask("POST", "/console/v1/prompts/repeated/versions", { name: "first", prompts });
  return `/console/v1/prompts/repeated/versions/${data.id}/start_evals`;
}

/** Waits until every evaluation has ended. */
export async function untilEvaluated(ask) {
  const end = Date.now() + FINISH_TIMEOUT_MS;
  for (const status of ["QUEUED", "RUNNING"]) {
    for (;;) {
      const path = `/console/v1/prompts/repeated/evaluations?status=${status}&limit=1`;
      const { pagination } = await ask("GET", path);
      if (pagination.totalItems === 0) break;
      if (Date.now() > end) throw new Error(`${pagination.totalItems} evaluations are ${status} after ${FINISH_TIMEOUT_MS} ms.`);
      await pause(100);
    }
  }
}

/** The rows of acknowledged evaluations, and those whose output was stored and scored. @param {number} started */
export async function countEvaluatedRows(query, started) {
  const [all] = await query(
    `select count(*)::int as evaluations, coalesce(sum("completedRows"), 0)::int as completed from prompt_evaluation`,
  );
  const [scored] = await query(
    `select count(*)::int as count from prompt_evaluation_row where status = 'COMPLETED' and scores::jsonb->0->>'score' = '1'`,
  );
  return {
    what: "rows of a prompt's dataset scored",
    acknowledged: started * ROWS,
    found: scored.count,
    lost: Math.max(0, started * ROWS - scored.count),
    doubled: Math.max(0, all.completed - scored.count) + Math.max(0, all.evaluations - started) * ROWS,
  };
}
