import { expect, test } from "vitest";
import type { Schema } from "../../api.ts";
import { conflictsIn, mergedDraft, setFields } from "../../saving/draft-model.ts";
import { addPerson, describeDraft, removePerson, teamModel, toWriteRequests } from "./team-draft.ts";

const user = (email: string) => ({ email, firstName: "", lastName: "", role: "member" as const });
const team = {
  ...{ id: "payments", name: "Payments", description: "", changeTeamConfigs: "anyone" },
  ...{ members: [user("kim@example.com")], admins: [user("ada@example.com")] },
} as Schema<"Team">;
const stored = { entity: team, etag: '"1"' };
const draft = teamModel.createDraft(stored, teamModel.storedParts(stored));

test("a person is on one of the two lists", () => {
  const { fields } = addPerson(draft, "admins", "kim@example.com");
  expect([fields.members, fields.admins]).toEqual([[], ["ada@example.com", "kim@example.com"]]);
});

test("adding somebody twice adds them once", () => {
  expect(addPerson(draft, "members", "kim@example.com").fields.members).toEqual(["kim@example.com"]);
});

test("a removed person is on neither list, and adding them again restores the original", () => {
  const removed = removePerson(draft, "kim@example.com");
  expect(removed.fields.members).toEqual([]);
  expect(teamModel.countChanges(addPerson(removed, "members", "kim@example.com"))).toBe(0);
});

test("a save writes only the fields that differ, and names the version that was read", () => {
  expect(toWriteRequests(setFields(draft, { changeTeamConfigs: "team_only" }))).toEqual([
    { operationId: "patchTeam", path: { id: "payments" }, body: { changeTeamConfigs: "team_only" }, ifMatch: '"1"' },
  ]);
});

test("a user who moves from one list to the other is described in both", () => {
  const [described] = describeDraft(addPerson(draft, "admins", "kim@example.com"));
  expect(described?.changes.map(({ field }) => field)).toEqual(["members", "admins"]);
});

test("a field that both changed is a conflict, and what only they changed is kept", () => {
  const mine = setFields(draft, { name: "Mine" });
  const current = { entity: { ...team, name: "Theirs", description: "New" }, etag: '"2"' };
  expect(conflictsIn(teamModel, mine, current)).toEqual([
    { path: "name", part: "name", before: "Payments", mine: "Mine", theirs: "Theirs" },
  ]);
  expect(mergedDraft(teamModel, mine, current, { name: "mine" })).toMatchObject({
    stored: current,
    fields: { name: "Mine", description: "New" },
  });
});
