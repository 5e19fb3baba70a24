import { describe, expect, test } from "vitest";
import { withoutPrivate } from "./user.ts";

describe("withoutPrivate", () => {
  test("leaves out what may be evaluated and neither logged nor answered", () => {
    expect(withoutPrivate({ userID: "alice", privateAttributes: { salary: 1 } })).toEqual({ userID: "alice" });
  });
});
