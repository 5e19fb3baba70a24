import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { auditHeads, readAnchor, verifyAuditLog } from "../../src/cli/audit.ts";
import { createLog } from "../../src/common/log.ts";
import { auditRetention } from "../../src/jobs/audit-retention.ts";
import { sealAuditLog } from "../../src/jobs/seal-audit-log.ts";
import { WrongAuditKey } from "../../src/store/change-log/seal-periods.ts";
import type { Anchor, Finding } from "../../src/store/change-log/verify-audit-log.ts";
import { createAuditKey } from "../../src/store/database/audit-key.ts";
import { withAuditKey } from "../../src/store/database/database.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { startOver, type TestServer } from "../support/server.ts";

const KEY = createAuditKey("a secret of at least 32 characters");
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const PROJECT = "default";
const log = createLog("silent", { write() {} });

/** The database of a server with a key. */
const keyed = (database: TestDatabase): TestDatabase => ({ ...database, ...withAuditKey(database, KEY), prisma: database.prisma });

/** A database whose only entries are of PROJECT: those of the instance are gone, as if it had never had people. */
async function databaseOfOneAuditLog(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  await database.prisma.change.deleteMany({ where: { projectID: { not: PROJECT } } });
  await database.prisma.project.updateMany({ where: { id: { not: PROJECT } }, data: { lastSeq: 0 } });
  return database;
}

let server: TestServer;
beforeAll(async () => {
  server = await startOver(keyed(await databaseOfOneAuditLog()));
  await seal();
  // From now on, each entry must have the signature of a server.
  server.clock.now += 2 * HOUR_MS;
});
afterAll(() => server.close());

const seal = (at = server) => sealAuditLog.run({ database: at.database, log, now: () => at.clock.now });
const sql = (text: string) => server.database.prisma.$executeRawUnsafe(text);

async function verify(at = server, anchors: Anchor[] = []) {
  const findings: Finding[] = [];
  const counts = await verifyAuditLog(at.database, anchors, (finding) => findings.push(finding), at.clock.now);
  return { findings, counts: counts.get(PROJECT) };
}
const findings = async (at = server, anchors: Anchor[] = []) => (await verify(at, anchors)).findings.map(({ seq, fault }) => [seq, fault]);

let names = 0;
/** Writes some entries and seals them. @returns the number of the last one */
async function writeEntries(count: number, at = server): Promise<number> {
  for (let written = 0; written < count; written++) await at.client.createTag({ body: { name: `tag ${names++}` } });
  await seal(at);
  return lastSeq(at);
}
async function lastSeq(at = server): Promise<number> {
  return Number((await at.database.prisma.project.findFirstOrThrow({ where: { id: PROJECT } })).lastSeq);
}

describe("the audit log of a server with a key", () => {
  test("is sealed in numerical order, with no findings", async () => {
    const last = await writeEntries(3);
    const seals = await server.database.prisma.seal.findMany({ orderBy: { seq: "asc" } });
    expect(seals.map(({ seq }) => Number(seq))).toEqual(Array.from({ length: last }, (_, index) => index + 1));
    expect(new Set(seals.map((one) => one.seal)).size).toBe(last);
    expect(await verify()).toEqual({ findings: [], counts: { checked: last, dropped: 0, before: expect.any(Number) } });
  });

  test("is compared with the entities, and finds the ones that SQL changed, deleted and added", async () => {
    const names = ["changed", "deleted", "kept"];
    for (const one of names) await server.client.createTag({ body: { name: one } });
    await seal();
    const last = await lastSeq();
    await sql(`create table tag_before as select * from tag`);
    await sql(`update tag set entity = replace(entity, 'changed', 'altered') where entity like '%"changed"%'`);
    await sql(
      `insert into tag select (jsonb_populate_record(tag, '{"id":"smuggled","name":"smuggled","caselessName":"smuggled"}')).* from tag where entity like '%"kept"%'`,
    );
    await sql(`delete from tag where entity like '%"deleted"%'`);
    const found = (await verify()).findings.map(({ seq, fault, detail }) => [seq, fault, detail]);
    await sql("delete from tag");
    await sql("insert into tag select * from tag_before");
    await sql("drop table tag_before");
    expect(found.sort()).toEqual([
      [0, "added", "no entry wrote tag smuggled"],
      [last - 2, "altered", expect.stringMatching(/^tag \w+ is not as this entry left it, which wrote it last$/)],
      [last - 1, "removed", expect.stringMatching(/^tag \w+ is gone, which this entry wrote last$/)],
    ]);
    expect((await verify()).findings).toEqual([]);
  });

  test("is not sealed twice by replicas that seal at the same time", async () => {
    await server.client.createTag({ body: { name: "at once" } });
    await Promise.all([seal(), seal(), seal()]);
    expect(await findings()).toEqual([]);
  });

  test("keeps the key out of the database", async () => {
    const { text } = await server.send("GET", "/console/v1/audit_logs?limit=1000");
    expect(text).not.toContain("a secret of at least");
  });
});

describe("a change of the audit log by SQL is found and named:", () => {
  let seq: number;
  beforeEach(async () => {
    seq = (await writeEntries(3)) - 1;
    expect(await findings()).toEqual([]);
  });

  const COLUMNS = {
    ...{ projectID: null, id: null, seq: null, signature: null },
    ...{ time: `"time" + 1`, actorID: "'key_x'", actorName: "'Somebody'", actorEmail: "'x@example.com'", operationID: "'createGate'" },
    ...{ entityType: "'gate'", entityID: "'other'", version: "version + 1", reason: "'because'", before: "'{}'", after: "'{}'" },
    ...{ altersLists: `not "altersLists"`, movesRuleset: `not "movesRuleset"` },
    ...{ address: "'192.0.2.1'", userAgent: "null", requestID: "null" },
  };

  test("every column is covered", async () => {
    const rows = await server.database.prisma.$queryRaw<{ name: string }[]>`
      select column_name as name from information_schema.columns where table_name = 'change' and table_schema = current_schema()`;
    expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(COLUMNS).toSorted());
  });

  test.each(Object.entries(COLUMNS).filter(([, value]) => value !== null))("an entry's %s was altered", async (column, value) => {
    await sql(`create table kept as select * from change where seq = ${seq}`);
    await sql(`update change set "${column}" = ${value} where seq = ${seq}`);
    expect(await findings()).toEqual([[seq, "altered"]]);
    await sql(`update change set "${column}" = kept."${column}" from kept where change.seq = ${seq}`);
    await sql("drop table kept");
    expect(await findings()).toEqual([]);
  });

  test("an entry's id was altered", async () => {
    await sql(`update change set id = id + 1000000 where seq = ${seq}`);
    expect(await findings()).toEqual([[seq, "altered"]]);
    await sql(`update change set id = id - 1000000 where seq = ${seq}`);
  });

  test("two entries were exchanged", async () => {
    const exchange = async () => {
      await sql(`update change set seq = -1 where seq = ${seq}`);
      await sql(`update change set seq = ${seq} where seq = ${seq - 1}`);
      await sql(`update change set seq = ${seq - 1} where seq = -1`);
    };
    await exchange();
    expect(await findings()).toEqual([
      [seq - 1, "altered"],
      [seq, "altered"],
    ]);
    await exchange();
  });

  test("an entry was moved to another project", async () => {
    await sql(`update change set "projectID" = 'elsewhere' where seq = ${seq}`);
    expect(await findings()).toEqual([[seq, "removed"]]);
    await sql(`update change set "projectID" = '${PROJECT}' where seq = ${seq}`);
  });

  test("a seal was altered", async () => {
    await sql(`update seal set seal = reverse(seal) where seq = ${seq}`);
    expect(await findings()).toEqual([[seq, "altered"]]);
    await sql(`update seal set seal = reverse(seal) where seq = ${seq}`);
  });
});

describe("a change of an audit log's end by SQL is found and named:", () => {
  let own: TestServer;
  beforeEach(async () => {
    own = await startOver(keyed(await databaseOfOneAuditLog()));
    await seal(own);
    own.clock.now += 2 * HOUR_MS;
    await writeEntries(3, own);
    return () => own.close();
  });
  const run = (text: string) => own.database.prisma.$executeRawUnsafe(text);
  const COPIED = `"projectID", "time", "actorID", "actorName", "operationID", "entityType", "entityID", "version", "after"`;

  test("an entry was removed, and with its seal too", async () => {
    await run("delete from change where seq = 2");
    expect(await findings(own)).toEqual([[2, "removed"]]);
    await run("delete from seal where seq = 2");
    expect((await findings(own))[0]).toEqual([2, "removed"]);
  });

  test("an entry was added, even if the database numbered it", async () => {
    await run(`insert into change (${COPIED}) select ${COPIED.replace('"entityID"', "'forged'")} from change where seq = 1`);
    const forged = await lastSeq(own);
    await seal(own);
    expect(await findings(own)).toEqual([[forged, "added"]]);
    await writeEntries(2, own);
    expect(await findings(own)).toEqual([[forged, "added"]]);
  });

  test("an entry was copied with its signature", async () => {
    await run(`insert into change (${COPIED}, "altersLists", "movesRuleset", "address", "userAgent", "requestID", "signature")
      select ${COPIED}, "altersLists", "movesRuleset", "address", "userAgent", "requestID", "signature" from change order by seq desc limit 1`);
    expect(await findings(own)).toEqual([[await lastSeq(own), "added"]]);
  });

  test("an entry was altered or removed before it was sealed", async () => {
    await own.client.createTag({ body: { name: "quickly altered" } });
    await own.client.createTag({ body: { name: "quickly removed" } });
    const last = await lastSeq(own);
    await run(`update change set "actorName" = 'Nobody' where seq = ${last - 1}`);
    await run(`delete from change where seq = ${last}`);
    expect(await findings(own)).toEqual([
      [last - 1, "altered"],
      [last, "removed"],
    ]);
    await writeEntries(1, own);
    expect(await findings(own)).toEqual([
      [last - 1, "altered"],
      [last, "removed"],
    ]);
  });

  test("its tail was cut, by its entities, or by an anchor if these are gone too", async () => {
    const [anchor] = await auditHeads(own.database, own.clock.now);
    if (!anchor) throw new Error("A head was expected.");
    const { seq } = anchor;
    expect(readAnchor(`${anchor.projectID} ${seq} ${anchor.seal}`)).toEqual(anchor);
    expect(await findings(own, [anchor])).toEqual([]);
    await run(`delete from change where seq > ${seq - 2}`);
    await run(`delete from seal where seq > ${seq - 2}`);
    await run(`update project set "lastSeq" = ${seq - 2} where id = '${PROJECT}'`);
    expect(await findings(own)).toEqual([
      [0, "added"],
      [0, "added"],
    ]);
    await run(`delete from tag where not exists (select from change where "entityType" = 'tag' and "entityID" = tag.id)`);
    expect(await findings(own)).toEqual([]);
    expect(await findings(own, [anchor])).toEqual([[seq, "removed"]]);
    await writeEntries(4, own);
    expect(await findings(own)).toEqual([]);
    expect(await findings(own, [anchor])).toEqual([[seq, "altered"]]);
  });

  test("its tail was cut and the numbers go on", async () => {
    const last = await lastSeq(own);
    await run(`delete from change where seq = ${last}`);
    await run(`delete from seal where seq = ${last}`);
    expect(await findings(own)).toEqual([[last, "removed"]]);
  });

  test("another key is refused, and so is an audit log whose record of the first seal is gone", async () => {
    const other = withAuditKey(own.database, createAuditKey("another secret of 32 characters and more"));
    await expect(verifyAuditLog(other, [], () => {})).rejects.toThrow(WrongAuditKey);
    await own.client.createTag({ body: { name: "unsealed" } });
    await expect(sealAuditLog.run({ database: other, log, now: () => own.clock.now })).rejects.toThrow(/another GATEHOUSE_AUDIT_KEY/);
    await run("delete from sealing");
    await expect(verifyAuditLog(own.database, [], () => {})).rejects.toThrow(/record of when the audit log was first sealed is missing/);
  });

  test("entries older than the key are sealed by the first run and protected after it", async () => {
    const old = await startOver(await databaseOfOneAuditLog());
    await old.client.createTag({ body: { name: "early" } });
    const database = keyed(old.database);
    const later = { ...old, database };
    const { findings: none, counts } = await verify(later);
    expect([none, counts]).toEqual([[], { checked: counts?.before, dropped: 0, before: await lastSeq(old) }]);
    await database.prisma.$executeRawUnsafe(`update change set "actorName" = 'Nobody' where seq = 2`);
    expect(await findings(later)).toEqual([[2, "altered"]]);
    await old.close();
  });

  test("retention drops events and changes of deleted entities, and neither breaks the chain nor versions", async () => {
    const { data: gate } = await own.client.createGate({ body: { name: "kept", rules: [] } });
    await own.client.patchGate({ path: { id: gate.id }, body: { description: "Kept." } });
    await own.client.createGate({ body: { name: "gone", rules: [] } });
    await own.client.patchGate({ path: { id: "gone" }, body: { description: "Going." } });
    await own.client.deleteGate({ path: { id: "gone" } });
    await seal(own);
    const before = await lastSeq(own);
    const retain = (days: number) => auditRetention(days).run({ database: own.database, log, now: () => own.clock.now });
    own.clock.now += 10 * DAY_MS;
    await retain(11);
    expect(await own.database.prisma.change.count()).toBe(before);
    await retain(9);
    const left = await own.database.prisma.change.findMany({ orderBy: { seq: "asc" } });
    expect(left.some(({ version, entityID }) => version === 0 || entityID === "gone")).toBe(false);
    expect(left.filter(({ entityID }) => entityID === "kept")).toHaveLength(2);
    expect((await own.client.listGateVersions({ path: { id: "kept" } })).data.map(({ version }) => version)).toEqual([2, 1]);
    const { findings: none, counts } = await verify(own);
    expect(none).toEqual([]);
    expect(counts).toMatchObject({ checked: left.length, dropped: before - left.length });
    await own.client.deleteGate({ path: { id: "kept" } });
    await seal(own);
    own.clock.now += 10 * DAY_MS;
    await retain(9);
    expect(await findings(own)).toEqual([]);
    // Someone who removes an entry cannot pretend that retention did.
    const [first] = await own.database.prisma.change.findMany({ orderBy: { seq: "desc" }, take: 1 });
    await run(`update seal set "droppedFrom" = seq, "dropProof" = 'proof' where seq = ${first?.seq}`);
    await run(`delete from change where seq = ${first?.seq}`);
    expect(await findings(own)).toEqual([[Number(first?.seq), "removed"]]);
  });
});
