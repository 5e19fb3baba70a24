import { expect, test } from "vitest";
import { byRequest, clausesOf, countedEntities, type Deed, requestKey, separator } from "./request-changes.ts";

const made = { actorID: "ada", time: 5, requestID: "r", reason: null };

test("changes with the same request ID are of one request only if one actor made them at one time", () => {
  expect(requestKey({ ...made, reason: "Sale" })).toBe(requestKey(made));
  for (const other of [{ actorID: "ben" }, { time: 6 }, { requestID: "s" }, { requestID: null }]) {
    expect(requestKey({ ...made, ...other })).not.toBe(requestKey(made));
  }
});

test("changes that the server made at one time belong together if they have the same reason", () => {
  const scheduled = { ...made, requestID: null, reason: "Scheduled change 1." };
  expect(requestKey({ ...scheduled })).toBe(requestKey(scheduled));
  expect(requestKey({ ...scheduled, reason: "Scheduled change 2." })).not.toBe(requestKey(scheduled));
});

test("successive changes of one request are a row if they are of several entities, and separate otherwise", () => {
  const rows = (changes: string[]) =>
    byRequest(
      changes,
      ([request]) => (request === "-" ? undefined : request),
      ([, entity]) => entity ?? "",
    ).map((row) => row.join(" "));
  expect(rows(["1a", "1b", "2a", "1c", "3a", "3a", "-a", "-b"])).toEqual(["1a 1b", "2a", "1c", "3a", "3a", "-a", "-b"]);
});

/** The clauses of deeds such as `created gate a`, oldest first. IDs of one type are joined. */
const inWords = (...deeds: [deed: string, type: string, id: string, place?: string][]): string[] => {
  const changes = deeds.map(([deed, type, id, place = ""]): Deed => ({ deed, type, id, place })).toReversed();
  return clausesOf(changes, (change) => change).map(({ deed, place, items }) =>
    [deed, ...items.map((same) => same.map(({ id }) => id).join("+")), place].join(" ").trim(),
  );
};

test("a request's deeds are told apart with their places, in the order in which they were done, and entities by type", () => {
  expect(inWords(["created", "tag", "t"], ["disabled", "gate", "a"], ["created", "gate", "c"], ["disabled", "gate", "b"])).toEqual([
    "created t c",
    "disabled a+b",
  ]);
  const staging = "in staging";
  expect(inWords(["turned off", "gate", "a", staging], ["turned off", "gate", "b"], ["turned off", "gate", "c", staging])).toEqual([
    "turned off a+c in staging",
    "turned off b",
  ]);
  expect(inWords(["restored a version of", "gate", "a"], ["restored a version of", "gate", "b"])).toEqual(["restored versions of a+b"]);
});

test("an entity counts once: as created or deleted if it was, or else by its last change", () => {
  expect(inWords(["created", "gate", "a"], ["changed", "gate", "a"])).toEqual(["created a"]);
  expect(inWords(["created", "gate", "a"], ["deleted", "gate", "a"])).toEqual(["deleted a"]);
  expect(inWords(["changed", "gate", "a"], ["archived", "gate", "a"])).toEqual(["archived a"]);
});

test.each([
  ["gate", 1_200, "1,200 gates"],
  ["gate_overrides", 3, "overrides of 3 gates"],
  ["person", 2, "2 people"],
  ["metric_source", 2, "2 metric sources"],
  ["key", 2, "2 keys"],
  ["project_entry", 2, "2 project entries"],
])("entities of the type %s are counted: %s %s", (type, count, words) => {
  expect(countedEntities(type, count)).toBe(words);
});

test("two items of a sentence have no comma between them, unless they have lists in them", () => {
  expect([0, 1, 2].map((index) => separator(index, 3))).toEqual(["", ", ", ", and "]);
  expect([separator(1, 2), separator(1, 2, true)]).toEqual([" and ", ", and "]);
});
