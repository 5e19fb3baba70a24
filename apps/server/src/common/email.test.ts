import consoleDocument from "@gatehouse/contract/console.json" with { type: "json" };
import { describe, expect, test } from "vitest";
import type { Document } from "../http/common/document.ts";
import { compileSchema } from "../http/common/schemas.ts";
import { domainOfEmail, normalizeEmail, readEmail } from "./email.ts";

const LOCAL = "a".repeat(242);

/** Addresses, and texts that pass for one if they are cut, trimmed, split at the wrong @, or folded to ASCII. */
const TEXTS = [
  "kim@example.com",
  "Kim@Example.COM",
  "o'neil+flags@mail.example.co.uk",
  "kim@localhost",
  `${LOCAL}@example.com`,
  `${LOCAL}a@example.com`,
  "m@evil.org@example.com",
  "m@example.com@evil.org",
  '"m@evil.org"@example.com',
  "m@evil.org,k@example.com",
  " kim@example.com",
  "kim@example.com ",
  "kim@example.com\n",
  "kim@exam\u200bple.com",
  "kim\u200d@example.com",
  "\ufeffkim@example.com",
  "\u212aim@example.com",
  "kim@\u212aiwi.example",
  "kim@example.com\u0000",
  "k\u0131m@example.com",
  "kim@ex\u017fample.com",
  "kim@e\u0445ample.com",
  "kim@m\u00fcller.example",
  "kim@example。com",
  "kim@.example.com",
  "kim@example..com",
  "kim@-example.com",
  "@example.com",
  "kim@",
  "kim",
  "",
];

describe("an address", () => {
  const accepts = compileSchema(consoleDocument as Document, "#/components/schemas/Email", "body");

  test.each(TEXTS)("is read if the contract accepts it: %j", (text) => {
    expect(readEmail(text) !== undefined).toBe(accepts(text));
  });

  test("is stored and compared in lower case, and never becomes another one", () => {
    const read = TEXTS.map(readEmail).filter((email) => email !== undefined);
    expect(read).toEqual([
      "kim@example.com",
      "kim@example.com",
      "o'neil+flags@mail.example.co.uk",
      "kim@localhost",
      `${LOCAL}@example.com`,
    ]);
    expect(TEXTS.map(normalizeEmail).filter((text) => text === "kim@example.com")).toHaveLength(2);
  });

  test("has the domain after its only @", () => {
    expect(domainOfEmail("kim@mail.example.com")).toBe("mail.example.com");
  });
});
