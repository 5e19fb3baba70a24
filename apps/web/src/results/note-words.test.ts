import { expect, test } from "vitest";
import type { Schema } from "../api.ts";
import { markColumns, placeMarks } from "../charts/marks.ts";
import { latestNotesFirst, noteMarks, notesCsv } from "./note-words.ts";

const note = (time: number, text: string, name = "Ada Byron"): Schema<"ResultNote"> => ({
  ...{ id: text, entityType: "experiment", entityID: "checkout", entityCreatedTime: 1, time, text },
  author: { id: "usr_1", name, email: "ada@example.com" },
  ...{ createdTime: 60_000, editedTime: null, version: 1 },
});

test("notes are listed by the time of their event, latest first, not by when they were written", () => {
  expect(latestNotesFirst([note(1, "Campaign"), note(3, "Outage"), note(2, "Sale")]).map(({ text }) => text)).toEqual([
    "Outage",
    "Sale",
    "Campaign",
  ]);
});

test("charts mark a note by its text and its author, and count the notes and changes of a day separately", () => {
  const marks = noteMarks([note(10, "Campaign"), note(10, "Outage", "")]);
  expect(marks).toEqual([
    { time: 10, name: "Campaign", text: "Note: Campaign (Ada Byron)", isNote: true },
    { time: 10, name: "Outage", text: "Note: Outage (ada@example.com)", isNote: true },
  ]);
  const change = { time: 10, name: "Allocation", text: "Allocation: 10% → 50%" };
  const place = (given: typeof marks) =>
    placeMarks(
      given,
      [10, 20],
      ({ time }) => time,
      (time) => time,
    );
  expect(place([...marks, change])).toMatchObject([{ name: "1 change, 2 notes", notes: 2 }]);
  expect([[...marks, change], marks, [change], []].map((given) => markColumns(place(given)))).toEqual([
    ["Changes and notes"],
    ["Notes"],
    ["Changes"],
    [],
  ]);
});

test("the CSV has one line for each note, by time, with times in UTC and no formulas", () => {
  expect(notesCsv([note(2 * 3_600_000, '=A1, "half"'), note(0, "Outage")])).toBe(
    [
      "time,note,author,created_time",
      "1970-01-01T00:00:00.000Z,Outage,Ada Byron,1970-01-01T00:01:00.000Z",
      `1970-01-01T02:00:00.000Z,"'=A1, ""half""",Ada Byron,1970-01-01T00:01:00.000Z`,
      "",
    ].join("\r\n"),
  );
});
