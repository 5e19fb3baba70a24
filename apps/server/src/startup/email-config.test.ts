import { describe, expect, test } from "vitest";
import { faults } from "../../test/support/config-faults.ts";
import { readConfig } from "./config.ts";

const FROM = "Gatehouse <gatehouse@example.com>";
const NEEDED = { GATEHOUSE_PUBLIC_URL: "https://flags.example.com", GATEHOUSE_SECRET_KEY: "a secret key of at least 32 characters" };

const read = (url: string, from = FROM) => readConfig({ ...NEEDED, GATEHOUSE_SMTP_URL: url, GATEHOUSE_EMAIL_FROM: from }).email;

describe("GATEHOUSE_SMTP_URL", () => {
  test.each([
    ["smtp://mail.example.com", { host: "mail.example.com", port: 587, isSecure: false, tls: "required" }],
    ["smtps://Mail.example.com", { host: "mail.example.com", port: 465, isSecure: true, tls: "required" }],
    [
      "smtp://me%40example.com:p%3Ass@mail.example.com:2525/",
      {
        ...{ host: "mail.example.com", port: 2525, isSecure: false, tls: "required" },
        credentials: { user: "me@example.com", password: "p:ss" },
      },
    ],
    ["smtp://203.0.114.7?tls=off", { host: "203.0.114.7", port: 587, isSecure: false, tls: "off" }],
    ["smtp://mail.example.com?tls=optional", { host: "mail.example.com", port: 587, isSecure: false, tls: "optional" }],
    ["smtp://10.0.0.7:25", { host: "10.0.0.7", port: 25, isSecure: false, tls: "optional" }],
    ["smtp://[::1]:25", { host: "::1", port: 25, isSecure: false, tls: "optional" }],
    ["smtp://postfix", { host: "postfix", port: 587, isSecure: false, tls: "optional" }],
    ["smtp://relay.corp.internal?tls=required", { host: "relay.corp.internal", port: 587, isSecure: false, tls: "required" }],
    ["smtp://notinternal.example.com", { host: "notinternal.example.com", port: 587, isSecure: false, tls: "required" }],
  ])("%s", (url, server) => {
    expect(read(url)).toEqual({ server, from: { name: "Gatehouse", address: "gatehouse@example.com" } });
  });

  test.each([
    ["https://mail.example.com"],
    ["mail.example.com:587"],
    ["smtp://"],
    ["smtp://user@mail.example.com"],
    ["smtp://:password@mail.example.com"],
    ["smtp://%zz:password@mail.example.com"],
    ["smtp://mail.example.com/inbox"],
    ["smtp://mail.example.com:0"],
    ["smtp://mail.example.com#x"],
    ["smtp://mail.example.com?tls=maybe"],
    ["smtp://mail.example.com?secure=true"],
    ["smtp://mail.example.com?tls=off&tls=off"],
    ["smtps://mail.example.com?tls=off"],
  ])("%s is refused", (url) => {
    expect(faults({ ...NEEDED, GATEHOUSE_SMTP_URL: url, GATEHOUSE_EMAIL_FROM: FROM })).toEqual([
      expect.stringMatching(/^GATEHOUSE_SMTP_URL must be a URL such as smtp:\/\/user:password@mail\.example\.com:587, /),
    ]);
  });
});

describe("GATEHOUSE_EMAIL_FROM", () => {
  test.each([
    ["flags@example.com", { name: "", address: "flags@example.com" }],
    ["<Flags@Example.com>", { name: "", address: "flags@example.com" }],
    ['"Flags, Inc." <flags@example.com>', { name: "Flags, Inc.", address: "flags@example.com" }],
    ["Übersicht <flags@example.com>", { name: "Übersicht", address: "flags@example.com" }],
  ])("%s", (from, sender) => {
    expect(read("smtp://localhost", from)?.from).toEqual(sender);
  });

  test.each([["Flags"], ["Flags <flags>"], ["a@example.com, b@example.com"], ["F\r\nBcc: x@example.com <a@example.com>"]])(
    "%j is refused",
    (from) => {
      expect(faults({ ...NEEDED, GATEHOUSE_SMTP_URL: "smtp://localhost", GATEHOUSE_EMAIL_FROM: from })).toEqual([
        "GATEHOUSE_EMAIL_FROM must be an email address such as gatehouse@example.com, or a name and an address such as Gatehouse <gatehouse@example.com>",
      ]);
    },
  );
});

test("the settings for email need each other, an address for links and a secret key", () => {
  expect(faults({ ...NEEDED, GATEHOUSE_SMTP_URL: "smtp://localhost" })).toEqual([
    "GATEHOUSE_SMTP_URL and GATEHOUSE_EMAIL_FROM need each other",
  ]);
  expect(faults({ ...NEEDED, GATEHOUSE_EMAIL_FROM: FROM })).toEqual(["GATEHOUSE_SMTP_URL and GATEHOUSE_EMAIL_FROM need each other"]);
  expect(faults({ GATEHOUSE_SMTP_URL: "smtp://localhost", GATEHOUSE_EMAIL_FROM: FROM })).toEqual([
    "GATEHOUSE_SMTP_URL needs GATEHOUSE_PUBLIC_URL, with which the links in emails begin",
    "GATEHOUSE_SMTP_URL needs GATEHOUSE_SECRET_KEY, which encrypts emails until they are sent",
  ]);
});
