import { expect, test } from "vitest";
import { hashSecret, hideSecret, isSecret, randomSecret } from "./secret.ts";

test.each([
  ["CONSOLE", /^console-\w{44}$/],
  ["SERVER", /^secret-\w{44}$/],
  ["CLIENT", /^client-\w{44}$/],
] as const)("a %s key shows by its prefix what it is for, and no two are the same", (type, form) => {
  const [one, other] = [randomSecret(type), randomSecret(type)];
  expect(one).toMatch(form);
  expect(one).not.toBe(other);
  expect(isSecret(one)).toBe(true);
});

test("an id does not have the form of a secret", () => {
  expect(["key_4mQ2", "absent", "secrets"].filter(isSecret)).toEqual([]);
});

test("a hint is the prefix and the last four characters", () => {
  expect(hideSecret("console-0123456789abcdef")).toBe("console-…cdef");
  expect(hideSecret("secret-with-a-hyphen-T7qz")).toBe("secret-…T7qz");
});

test("a hash is the SHA-256 in hex", () => {
  expect(hashSecret("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});
