import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";

// Runs the embedded database in a thread of its own. Plain JavaScript, since a thread starts without a compiler.

/** Postgres's type of 64-bit integers, which `pg` statements answer as bigints too. */
const INT8 = 20;

const pglite = await PGlite.create(workerData.folder, { parsers: { [INT8]: BigInt } });
parentPort?.on("message", async ({ id, ...request }) => {
  try {
    parentPort?.postMessage({ id, result: await answer(request) });
  } catch (error) {
    // The fields of an error are lost between threads.
    const { message, stack, ...fields } = Object.assign(new Error(), error, {
      message: error instanceof Error ? error.message : String(error),
    });
    parentPort?.postMessage({ id, error: { message, fields: { ...fields } } });
  }
});
parentPort?.postMessage("ready");

/** @param {import("./embedded-thread.ts").Request} request */
async function answer(request) {
  switch (request.type) {
    case "query": {
      const { rows, affectedRows } = await pglite.query(request.text, request.values);
      return { rows, affectedRows };
    }
    case "script":
      return void (await pglite.exec(request.sql));
    case "listen":
      return void (await pglite.listen(request.channel, (payload) => parentPort?.postMessage({ channel: request.channel, payload })));
    case "close":
      await pglite.close();
      // Without the port, nothing keeps the thread.
      setImmediate(() => parentPort?.close());
  }
}
