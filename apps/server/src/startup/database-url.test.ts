import { expect, test } from "vitest";
import { databaseUrlFault } from "./database-url.ts";

test.each([
  "postgres://me:secret@db.example.com:5432/gatehouse",
  "postgresql://localhost/gatehouse?application_name=flags&options=-c%20search_path%3Dflags&sslmode=verify-full",
  "postgres:///gatehouse?host=/var/run/postgresql&user=me",
  "postgres://[2001:db8::1]:5432/gatehouse?ssl=true",
])("%s can be used", (url) => {
  expect(databaseUrlFault(url)).toBeUndefined();
});

test.each([
  ["mysql://localhost/x", "must be a URL that starts with postgres:// or postgresql://"],
  ["postgres://a:5432,b:5432/x", "must name one host. If there are several servers, give the address of a proxy in front of them"],
  [
    "postgres://me:a/b#c@localhost/x",
    "must be a valid URL. Characters such as @, / and # in the password need their codes: %40, %2F and %23",
  ],
  [
    "postgres://localhost/x?schema=flags",
    "must not have the parameter schema. Set the schema of the role instead: alter role NAME set search_path = SCHEMA",
  ],
  ["postgres://localhost/x?channel_binding=require", "has the parameter channel_binding, which has no effect here. Remove it"],
  [
    "postgres://localhost/x?sslmode=on",
    "must have one of the values disable, prefer, require, verify-ca, verify-full, no-verify for sslmode",
  ],
  [
    "postgres://localhost/x?uselibpqcompat=true&sslmode=verify-ca",
    "needs sslrootcert, the file of the certificate authority, for sslmode=verify-ca",
  ],
  [
    "postgres://localhost/x?sslrootcert=/nowhere/ca.pem",
    "names a file for sslrootcert that cannot be read: ENOENT: no such file or directory, open '/nowhere/ca.pem'",
  ],
])("%s is refused by name", (url, fault) => {
  expect(databaseUrlFault(url)).toBe(fault);
});
