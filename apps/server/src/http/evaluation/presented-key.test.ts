import { describe, expect, test } from "vitest";
import { presentedKey } from "./presented-key.ts";

const none = new URLSearchParams();

describe("presentedKey", () => {
  test("is the first of the headers, the query and the path", () => {
    const headers = { authorization: "Bearer a", "x-api-key": "b", "statsig-api-key": "c", "service-api-key": "d" };
    const query = new URLSearchParams("k=e");
    const path = { sdkKey: "f" };
    expect(presentedKey(headers, query, path)).toBe("a");
    expect(presentedKey({ ...headers, authorization: undefined }, query, path)).toBe("b");
    expect(presentedKey({ "statsig-api-key": "c", "service-api-key": "d" }, query, path)).toBe("c");
    expect(presentedKey({ "service-api-key": "d" }, query, path)).toBe("d");
    expect(presentedKey({}, query, path)).toBe("e");
    expect(presentedKey({}, none, path)).toBe("f");
    expect(presentedKey({}, none, {})).toBeUndefined();
  });

  test("ignores other Authorization schemes, which proxies may add", () => {
    expect(presentedKey({ authorization: "Basic eDp5", "x-api-key": "b" }, none, {})).toBe("b");
    expect(presentedKey({ authorization: "bearer  a " }, none, {})).toBe("a");
  });
});
