import { expect, test } from "vitest";
import { withNullAt } from "./shown-once.ts";

test("A place in the data becomes null, and everything else stays in order", () => {
  const body = { message: "Made.", data: { id: "a", key: "secret", hint: "s" } };
  expect(JSON.stringify(withNullAt(body, "data.key"))).toBe('{"message":"Made.","data":{"id":"a","key":null,"hint":"s"}}');
  expect(body.data.key).toBe("secret");
});

test("A nested place becomes null", () => {
  expect(withNullAt({ data: { firstKey: { id: 1, key: "secret" } } }, "data.firstKey.key")).toEqual({
    data: { firstKey: { id: 1, key: null } },
  });
});

test("A place in each item of a list becomes null", () => {
  const body = {
    data: [
      { token: "secret", email: "a" },
      { token: null, email: "b" },
    ],
  };
  expect(withNullAt(body, "data[].token")).toEqual({
    data: [
      { token: null, email: "a" },
      { token: null, email: "b" },
    ],
  });
});

test("A place that is absent stays absent", () => {
  expect(withNullAt({ data: { id: "a" } }, "data.key.secret")).toEqual({ data: { id: "a" } });
  expect(withNullAt({ data: null }, "data[].token")).toEqual({ data: null });
});
