import { describe, expect, test } from "vitest";
import { withoutPrivate } from "./user.ts";

describe("withoutPrivate", () => {
  test("leaves out private attributes, which are evaluated but neither logged nor returned", () => {
    expect(withoutPrivate({ userID: "alice", privateAttributes: { salary: 1 } })).toEqual({ userID: "alice" });
  });
});
