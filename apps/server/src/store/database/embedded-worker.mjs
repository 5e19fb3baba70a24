import { statfsSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";

// Runs the embedded database in its own thread. Plain JavaScript, since a thread starts without a compiler.

/** Postgres's type of 64-bit integers, which `pg` statements answer as bigints too. */
const INT8 = 20;

/**
 * Writes are refused while the disk has less free space. Postgres stops working if it cannot create the next segment of its write-ahead log,
 * which has half this size.
 */
const RESERVED_BYTES = 2 ** 25;
/** A checkpoint follows this much write-ahead log. A Postgres without other processes makes none by itself, and its log would only grow. */
const CHECKPOINT_BYTES = 2 ** 25;
const CHECKPOINT_INTERVAL_MS = 1_000;

/** Buffers are memory that is used from the start. The operating system caches files anyway. */
const SETTINGS = ["shared_buffers=16MB", "max_wal_size=64MB", "min_wal_size=32MB"];

/** Postgres's code for a write in a transaction that can only read, and for a full disk. */
const READ_ONLY = "25006";
const DISK_FULL = "53100";

/** @type {{ folder: string | undefined, readOnlyUntil: number, newDatabase: Uint8Array<ArrayBuffer> | undefined }} */
const { folder, readOnlyUntil, newDatabase } = workerData;
const pglite = await PGlite.create(folder, {
  parsers: { [INT8]: BigInt },
  ...(newDatabase && { loadDataDir: new Blob([newDatabase], { type: "application/gzip" }) }),
  startParams: [...PGlite.defaultStartParams, ...SETTINGS.flatMap((setting) => ["-c", setting])],
});
let isInTransaction = false;
let isReadOnly = false;
let isLogKept = false;
let nextCheckpoint = 0;
/** Settles when the requests before are answered. */
let last = Promise.resolve();

parentPort?.on("message", (message) => {
  last = last.then(() => respond(message));
});
// The answer to opening it.
parentPort?.postMessage({ id: 0, result: undefined });

/** @param {{ id: number } & import("./embedded-thread.ts").Request} message */
async function respond({ id, ...request }) {
  try {
    parentPort?.postMessage({ id, result: await answer(request) });
  } catch (error) {
    parentPort?.postMessage({ id, error: describe(error), isFatal: isFatal(error) });
    return;
  }
  // Its failure is one of the engine, which the next statement meets.
  if (folder !== undefined && !isInTransaction && request.type !== "close") await checkpoint().catch(() => {});
}

/** @param {import("./embedded-thread.ts").Request} request */
async function answer(request) {
  switch (request.type) {
    case "query": {
      await followFreeSpace();
      const { rows, affectedRows } = await pglite.query(request.text, request.values);
      return { rows, affectedRows };
    }
    case "script":
      return runScript(request.sql);
    case "listen":
      return void (await pglite.listen(request.channel, (payload) => parentPort?.postMessage({ channel: request.channel, payload })));
    case "keepLog":
      isLogKept = request.isKept;
      return;
    case "close":
      await pglite.close();
      // Only the port keeps the thread alive.
      setImmediate(() => parentPort?.close());
  }
}

/** @param {string} sql */
async function runScript(sql) {
  await followFreeSpace();
  try {
    await pglite.exec(sql);
  } finally {
    if (/^(commit|rollback)$/.test(sql)) isInTransaction = false;
  }
  if (sql === "begin") isInTransaction = true;
}

/** Lets transactions only read while the disk has little space. Transactions that have begun are not affected. */
async function followFreeSpace() {
  if (folder === undefined || isInTransaction) return;
  const { bavail, blocks, bsize } = statfsSync(folder);
  const isLow = (blocks > 0 && bavail * bsize < RESERVED_BYTES) || Date.now() < readOnlyUntil;
  if (isLow === isReadOnly) return;
  await pglite.exec(`set default_transaction_read_only = ${isLow}`);
  isReadOnly = isLow;
  parentPort?.postMessage({ isReadOnly });
}

async function checkpoint() {
  if (isLogKept || Date.now() < nextCheckpoint) return;
  nextCheckpoint = Date.now() + CHECKPOINT_INTERVAL_MS;
  const { rows } = await pglite.query(
    `select pg_current_wal_insert_lsn() - redo_lsn > ${CHECKPOINT_BYTES} as "isDue" from pg_control_checkpoint()`,
  );
  if (rows[0]?.isDue) await pglite.exec("checkpoint");
}

/**
 * The fields of an error are lost between threads.
 * @param {unknown} error
 * @returns {{ message: string, fields: { code?: string } }}
 */
function describe(error) {
  /** @type {Error & { code?: string }} */
  const described = Object.assign(new Error(), error, { message: error instanceof Error ? error.message : String(error) });
  const { message, stack, ...fields } = described;
  if (isReadOnly && fields.code === READ_ONLY) {
    return { message: "The disk of the data folder has too little free space for writes.", fields: { code: DISK_FULL } };
  }
  return { message, fields: { ...fields } };
}

/**
 * Whether the engine has stopped: after a panic, it never answers again. Errors of WebAssembly, such as an exit, have no severity.
 * @param {unknown} error
 */
function isFatal(error) {
  const { name, severity } = /** @type {{ name?: string, severity?: string }} */ (error ?? {});
  return severity === "PANIC" || severity === "FATAL" || name === "RuntimeError" || name === "ExitStatus";
}
