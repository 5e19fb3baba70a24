import { afterAll, beforeAll, expect, test } from "vitest";
import { seeded } from "../sdk/random-project/random.ts";
import { startServer, type TestServer } from "../support/server.ts";

// Random gates and random queries, compared with a filter and a sort of all gates.

let one: TestServer;
let other: TestServer;
beforeAll(async () => {
  one = await startServer();
  other = await one.replica();
  for (const name of ["Red", "Blue"]) teams.push((await one.client.createTeam({ body: { name } })).data.id);
});
afterAll(async () => {
  await other.close();
  await one.close();
});

type Gate = Awaited<ReturnType<TestServer["client"]["getGate"]>>["data"];
type Query = NonNullable<NonNullable<Parameters<TestServer["client"]["listGates"]>[0]>["query"]>;

const SYLLABLES = ["ab", "ba", "abc", "cab", "Ä", "é", "ß", "x", "_", "1", "İ", "ς", "🙂"];
/** Letters that a name may have. */
const LETTERS = ["ab", "Ba", "abc", "CAB", "x", "_", "1", " "];
const OWNERS = ["ada", "Ada", "bob"];
const teams: string[] = [];
const STATUSES = ["In Progress", "Launched", "Disabled", "Archived"] as const;
const random = seeded(20);
const word = (syllables = SYLLABLES) => random.list(random.integer(1, 4), () => random.pick(syllables)).join("");
const words = (most: number) => random.list(random.integer(1, most), () => word()).join(random.pick([" ", "  ", "\n"]));

const lower = (text: string) => [...text].map((letter) => letter.toLowerCase()).join("");
const compare = <T>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0);
const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(lower(a)), Buffer.from(lower(b)));

const SORTS: Record<NonNullable<Query["sort"]>, (a: Gate, b: Gate) => number> = {
  name: (a, b) => byCodePoint(a.name, b.name),
  createdTime: (a, b) => b.createdTime - a.createdTime,
  lastModifiedTime: (a, b) => b.lastModifiedTime - a.lastModifiedTime,
  status: (a, b) => compare(a.status, b.status) || b.createdTime - a.createdTime,
};
const NATURAL = { name: "asc", status: "asc", createdTime: "desc", lastModifiedTime: "desc" };

/** Ids differ in one number, so that every collation sorts them alike. */
function expected(gates: Gate[], { search, sort = "createdTime", order = undefined, ...asked }: Query): string[] {
  const { status, includeArchived, tags = [], teamID, ownerID } = asked;
  const isFound = (gate: Gate) => {
    const text = lower([gate.id, gate.name, gate.description].join("\n"));
    return (
      lower(search ?? "")
        .split(/\s+/u)
        .every((part) => text.includes(part)) &&
      (status ? status.includes(gate.status) : includeArchived || gate.status !== "Archived") &&
      tags.every((tag) => gate.tags.includes(tag)) &&
      [undefined, gate.teamID].includes(teamID) &&
      [undefined, gate.owner?.ownerID].includes(ownerID)
    );
  };
  const natural = gates.filter(isFound).sort((a, b) => SORTS[sort](a, b) || compare(a.id, b.id));
  return (order === undefined || order === NATURAL[sort] ? natural : natural.reverse()).map(({ id }) => id);
}

function randomQuery(): Query {
  return {
    ...(random.chance(0.8) && { search: random.chance(0.5) ? words(2) : random.pick(SYLLABLES) }),
    ...(random.chance(0.6) && { sort: random.pick(["name", "createdTime", "lastModifiedTime", "status"] as const) }),
    ...(random.chance(0.6) && { order: random.pick(["asc", "desc"] as const) }),
    ...(random.chance(0.3) && { status: random.some(STATUSES) }),
    ...(random.chance(0.3) && { includeArchived: true }),
    ...(random.chance(0.2) && { tags: ["red"] }),
    ...(random.chance(0.2) && { teamID: random.pick(teams) }),
    ...(random.chance(0.2) && { ownerID: random.pick(OWNERS) }),
  };
}

test("a query returns the results, order, total and pages of a filter and a sort, after any writes on any replica", async () => {
  const gates = new Map<string, Gate>();
  const change = async () => {
    const { client } = random.pick([one, other]);
    one.clock.now += random.integer(0, 1);
    other.clock.now = one.clock.now;
    const id = `gate_${100 + random.integer(0, 60)}`;
    const gate = gates.get(id);
    const given = {
      description: words(3),
      ...(random.chance(0.5) && { tags: random.some(["red", "blue"]) }),
      ...(random.chance(0.5) && { teamID: random.pick([...teams, null]) }),
      ...(random.chance(0.5) && { owner: random.chance(0.2) ? null : { ownerID: random.pick(OWNERS) } }),
    };
    if (!gate) gates.set(id, (await client.createGate({ body: { id, name: `${word(LETTERS)} n`, ...given } })).data);
    else if (gate.status === "Archived") gates.set(id, (await client.unarchiveGate({ path: { id }, body: {} })).data);
    else {
      const write = random.pick([
        () => client.patchGate({ path: { id }, body: given }),
        () => client.patchGate({ path: { id }, body: given }),
        () => client.disableGate({ path: { id } }),
        () => client.launchGate({ path: { id } }),
        () => client.archiveGate({ path: { id }, body: { archiveReason: "tested" } }),
      ]);
      gates.set(id, (await write()).data);
    }
  };
  for (let round = 0; round < 25; round++) {
    for (let step = 0; step < 8; step++) await change();
    for (let query = 0; query < 12; query++) {
      const asked = randomQuery();
      const { client } = random.pick([one, other]);
      const ids = expected([...gates.values()], asked);
      const [whole, second] = await Promise.all([
        client.listGates({ query: { ...asked, limit: 1000 } }),
        client.listGates({ query: { ...asked, limit: 3, page: 2 } }),
      ]);
      const found = { query: asked, ids: whole.data.map(({ id }) => id), total: whole.pagination.totalItems };
      expect(found).toEqual({ query: asked, ids, total: ids.length });
      expect([second.data.map(({ id }) => id), second.pagination.totalItems]).toEqual([ids.slice(3, 6), ids.length]);
    }
  }
});
