import { expect, test } from "vitest";
import { userFrom } from "./user-text.ts";

test("a user without any field is not evaluated", () => {
  expect(userFrom({ userID: "", email: "", more: " " })).toEqual({ user: undefined });
});

test("the fields of a form count before those of the JSON", () => {
  expect(userFrom({ userID: "alice", email: "", more: '{"userID": "bob", "country": "NO"}' })).toEqual({
    user: { userID: "alice", country: "NO" },
  });
});

test.each([
  ["{", "Enter valid JSON."],
  ["[1]", 'Enter an object, such as {"country": "NO"}.'],
  ["null", 'Enter an object, such as {"country": "NO"}.'],
])("%s is refused with what to do", (more, fault) => {
  expect(userFrom({ userID: "", email: "", more })).toEqual({ fault });
});
