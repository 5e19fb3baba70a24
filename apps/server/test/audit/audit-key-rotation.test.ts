import { afterEach, beforeEach, expect, test } from "vitest";
import { verifyAuditLog } from "../../src/cli/audit.ts";
import { createLog } from "../../src/common/log.ts";
import { sealAuditLog } from "../../src/jobs/seal-audit-log.ts";
import { dropOldEntries } from "../../src/store/change-log/audit-log-retention.ts";
import { readEntries } from "../../src/store/change-log/read-entries.ts";
import { WrongAuditKey } from "../../src/store/change-log/seal-periods.ts";
import type { Finding } from "../../src/store/change-log/verify-audit-log.ts";
import { type AuditKey, createAuditKey } from "../../src/store/database/audit-key.ts";
import { withAuditKey } from "../../src/store/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { startOver, type TestServer } from "../support/server.ts";

const OLD_SECRET = "the old secret of at least 32 characters";
const NEW_SECRET = "the new secret of at least 32 characters";
const OLD = createAuditKey(OLD_SECRET);
const NEW = createAuditKey(NEW_SECRET, [OLD_SECRET]);
const HOUR_MS = 3_600_000;
const PROJECT = "default";
const log = createLog("silent", { write() {} });

/** A replica with the old key, and one that was restarted with the new key, on one database. */
let old: TestServer;
let renewed: TestServer;
beforeEach(async () => {
  const database = await createTestDatabase();
  old = await startOver(keyed(database, OLD));
  renewed = await startOver({ ...keyed(database, NEW), close: async () => {} }, old.clock);
  await write(old);
  await seal(old);
  // From now on, each entry must have a signature.
  old.clock.now += 2 * HOUR_MS;
});
afterEach(async () => {
  await renewed.close();
  await old.close();
});

const keyed = (database: TestDatabase, key: AuditKey): TestDatabase => ({
  ...database,
  ...withAuditKey(database, key),
  prisma: database.prisma,
});
const seal = ({ database, clock }: TestServer) => sealAuditLog.run({ database, log, now: () => clock.now });

let names = 0;
async function write({ client, database }: TestServer): Promise<number> {
  await client.createTag({ body: { name: `tag ${names++}` } });
  return Number((await database.prisma.project.findFirstOrThrow({ where: { id: PROJECT } })).lastSeq);
}

async function findings(at = renewed): Promise<unknown[]> {
  const found: Finding[] = [];
  await verifyAuditLog(at.database, [], (finding) => found.push(finding), at.clock.now);
  return found.map(({ projectID, seq, fault }) => [projectID, seq, fault]);
}

test("a new key continues the chain of the old one, which then seals nothing more, and both are needed to verify it", async () => {
  await write(old);
  await write(renewed);
  await seal(renewed);
  await write(old);
  await expect(seal(old)).rejects.toThrow(WrongAuditKey);
  expect(await findings()).toEqual([]);
  const withoutOld = withAuditKey(renewed.database, createAuditKey(NEW_SECRET));
  await expect(verifyAuditLog(withoutOld, [], () => {})).rejects.toThrow(/The key that sealed the audit log from .* on is not given\./);
});

test("an entry with the old key is reported from one hour after the new key began to seal, for any time in the entry", async () => {
  await seal(renewed);
  await write(renewed);
  await seal(renewed);
  await write(old);
  expect(await findings()).toEqual([]);
  const within = old.clock.now;
  old.clock.now += 2 * HOUR_MS;
  await write(renewed);
  const late = await write(old);
  old.clock.now = within;
  const backdated = await write(old);
  expect(await findings()).toEqual([
    [PROJECT, late, "altered"],
    [PROJECT, backdated, "altered"],
  ]);
});

test("the old key cannot change entries that it sealed", async () => {
  const { prisma, db } = old.database;
  const seq = await write(old);
  await seal(old);
  await write(renewed);
  await seal(renewed);
  const [entry] = await readEntries(db, PROJECT, [seq]);
  if (!entry) throw new Error("The entry is missing.");
  const forged = { ...entry, actorName: "Nobody" };
  const signature = OLD.sign(forged);
  const { seal: previous } = await prisma.seal.findFirstOrThrow({ where: { projectID: PROJECT, seq: seq - 1 } });
  const link = { projectID: PROJECT, seq, kind: "signed" as const, id: entry.id, signature, previous };
  await prisma.change.updateMany({ where: { projectID: PROJECT, seq }, data: { actorName: "Nobody", signature } });
  await prisma.seal.updateMany({ where: { projectID: PROJECT, seq }, data: { signature, seal: OLD.seal(link) } });
  expect(await findings()).toEqual([[PROJECT, seq + 1, "altered"]]);
});

test("entries dropped by retention earlier are still proven, and the old key proves nothing more", async () => {
  const { client, database, clock } = old;
  const { data } = await client.createTag({ body: { name: "to be dropped" } });
  await client.deleteTag({ path: { id: data.id } });
  await seal(old);
  clock.now += HOUR_MS;
  expect((await dropOldEntries(database, clock.now, clock.now)).dropped).toBeGreaterThan(1);
  await write(renewed);
  await seal(renewed);
  expect(await findings()).toEqual([]);
  await expect(dropOldEntries(database, clock.now, clock.now)).rejects.toThrow(WrongAuditKey);

  const run = await database.prisma.seal.findFirstOrThrow({ where: { projectID: PROJECT, NOT: { droppedFrom: null } } });
  const dropProof = OLD.proveDrop(PROJECT, Number(run.droppedFrom), Number(run.seq), run.seal);
  await database.prisma.seal.updateMany({ where: { projectID: PROJECT, seq: run.seq }, data: { dropProof } });
  expect(await findings()).toEqual([[PROJECT, Number(run.droppedFrom), "removed"]]);
});
