import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SCIM, scimClient, scimError } from "../support/scim.ts";
import { startServer, type TestServer } from "../support/server.ts";

// Filters and patches, and requests that are too large or invalid.

let server: TestServer;
let scim: ReturnType<typeof scimClient>;
let user: string;
let group: string;
beforeAll(async () => {
  server = await startServer({ scim: SCIM });
  scim = scimClient(server);
  user = (await scim.createUser("someone@example.com")).body.id;
  group = (await scim.createGroup("Some group", [user])).body.id;
});
afterAll(() => server.close());

describe("filters", () => {
  test.each([
    [`userName eq "SOMEONE@example.com"`, 1],
    [`emails.value sw "someone@"`, 1],
    [`userName co "meone@" and active eq true`, 1],
    [`not (active eq true) and userName eq "someone@example.com"`, 0],
    [`(userName ew "nobody" or userName ew "one@example.com") and id pr`, 1],
    [`externalId pr and userName eq "someone@example.com"`, 0],
    [`name.givenName eq "Nobody"`, 0],
    [`urn:ietf:params:scim:schemas:core:2.0:User:userName EQ "someone@example.com"`, 1],
    [`userName eq "someone@example.com" and meta.created gt "2020-01-01T00:00:00Z" and meta.lastModified lt "2100-01-01T00:00:00Z"`, 1],
    [`userName eq "someone@example.com' or '1' = '1"`, 0],
    [`userName eq "100%_"`, 0],
    [`displayName eq null and userName eq "someone@example.com"`, 1],
    [`userName ne "someone@example.com" and userName eq "someone@example.com"`, 0],
  ])("%s finds %i", async (filter, total) => {
    expect(await scim.list("/Users", filter)).toMatchObject({ status: 200, body: { totalResults: total } });
  });

  test.each([
    ["", "an attribute is expected at character 1"],
    ["userName", "an operator such as eq is expected at character 9"],
    ["userName eq", "a value is expected at character 12"],
    ['userName is "x"', "an operator such as eq is expected at character 10"],
    ['userName eq "x', "the text from character 12 has no closing quote"],
    ['userName eq "\\u0000"', "a text is not valid JSON, or contains the character U+0000"],
    ['userName eq "x" garbage', "and or or is expected at character 17"],
    ['(userName eq "x"', ") is expected at character 17"],
    ['password eq "x"', "the attribute password is not supported"],
    ['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:userName eq "x"', "an attribute is expected at character 1"],
    ["userName eq 5", "username must be compared with a text"],
    ['active gt "true"', "active can only be compared by eq or ne"],
    ['meta.created eq "yesterday"', "meta.created must be compared with a time"],
    ['__proto__ eq "x"', "an attribute is expected at character 1"],
    ['constructor eq "x"', "the attribute constructor is not supported"],
    [`${"(".repeat(11)}id pr${")".repeat(11)}`, "it is nested more than 10 levels deep"],
    [Array(51).fill("id pr").join(" or "), "it has more than 50 comparisons"],
  ])("%s is invalid", async (filter, reason) => {
    expect(await scim.list("/Users", filter)).toMatchObject(scimError(400, "invalidFilter", `The filter is invalid: ${reason}.`));
  });

  test("with brackets after members have one comparison", async () => {
    expect((await scim.list("/Groups", `members.value eq "${user}"`)).body.totalResults).toBe(1);
    expect(await scim.list("/Groups", `members[value eq "a" and value eq "b"]`)).toMatchObject(
      scimError(400, "invalidFilter", "The filter is invalid: brackets after members can only contain one comparison."),
    );
  });

  test("that are too long are refused before they are parsed", async () => {
    expect(await scim.list("/Users", `userName eq "${"x".repeat(1_000)}"`)).toMatchObject(
      scimError(400, "invalidValue", expect.any(String)),
    );
  });
});

describe("hostile bodies", () => {
  const operation = (one: object) => ({ Operations: [one] });
  const cases: [string, unknown, string, string | RegExp][] = [
    ["no JSON", "{", "invalidSyntax", /^The body .+/],
    ["no object", "null", "invalidValue", /body must be object/],
    ["no operations", { Operations: [] }, "invalidValue", /Operations must NOT have fewer than 1 items/],
    [
      "too many operations",
      { Operations: Array(1_001).fill({ op: "add", path: "active", value: true }) },
      "invalidValue",
      /more than 1000 items/,
    ],
    ["another operation", operation({ op: "move", path: "active" }), "invalidSyntax", "op must be add, replace, or remove."],
    ["an invalid path", operation({ op: "replace", path: "na me..x", value: 1 }), "invalidPath", "The path na me..x is invalid."],
    ["an invalid filter", operation({ op: "replace", path: "emails[type].value", value: "x" }), "invalidFilter", /an operator such as eq/],
    ["removing without a path", operation({ op: "remove" }), "noTarget", "A remove operation needs a path."],
    ["changing the ID", operation({ op: "replace", path: "id", value: "x" }), "mutability", "id can't be changed."],
    ["removing active", operation({ op: "remove", path: "active" }), "mutability", "active can't be removed. Set it to false."],
    ["removing the name", operation({ op: "remove", path: "userName" }), "invalidValue", "userName is required."],
    ["a value that is not an object", operation({ op: "replace", value: "active" }), "invalidValue", "value must be an object."],
    [
      "a text for a truth value",
      operation({ op: "replace", path: "active", value: "maybe" }),
      "invalidValue",
      "active must be true or false.",
    ],
    [
      "a list for a name",
      operation({ op: "replace", path: "name.givenName", value: ["x"] }),
      "invalidValue",
      "name.givenName must be a text.",
    ],
    [
      "a long name",
      operation({ op: "replace", value: { displayName: "x".repeat(201) } }),
      "invalidValue",
      "displayName must have at most 200 characters.",
    ],
    [
      "control characters",
      operation({ op: "replace", value: { name: { givenName: "a\nb" } } }),
      "invalidValue",
      "name.givenName must not have control characters.",
    ],
    [
      "no address",
      operation({ op: "replace", value: { userName: "none", emails: [{ value: "none" }] } }),
      "invalidValue",
      "userName, or the primary value of emails, must be an email address of at most 254 ASCII characters.",
    ],
  ];

  test.each(cases)("PATCH with %s", async (_, body, scimType, detail) => {
    const message = typeof detail === "string" ? detail : expect.stringMatching(detail);
    expect(await scim.send("PATCH", `/Users/${user}`, body)).toMatchObject(scimError(400, scimType, message));
  });

  test.each(["none", "someone@", "üser@example.com", "a b@example.com", `${"x".repeat(250)}@example.com`])(
    "a userName that is not an address is refused: %s",
    async (userName) => {
      expect(await scim.createUser(userName)).toMatchObject(scimError(400, "invalidValue", expect.any(String)));
    },
  );

  test("prototypes stay as they are, and names of attributes are not case-sensitive", async () => {
    const text = `{"USERNAME":"proto@example.com","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"Name":{"GIVENNAME":"Ada","__proto__":{"x":1}}}`;
    const created = await scim.send("POST", "/Users", text);
    expect(created).toMatchObject({ status: 201, body: { userName: "proto@example.com", name: { givenName: "Ada" } } });
    const patched = await scim.send(
      "PATCH",
      `/Users/${created.body.id}`,
      `{"operations":[{"OP":"Add","value":{"__proto__":{"polluted":true},"name":{"__proto__":{"polluted":true}},"DISPLAYNAME":"x"}},{"op":"add","path":"__proto__.polluted","value":true},{"op":"add","path":"constructor.prototype","value":true}]}`,
    );
    // A path that no attribute can have is an error.
    expect(patched).toMatchObject(scimError(400, "invalidPath", "The path __proto__.polluted is invalid."));
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test("10,000 members are refused", async () => {
    const members = Array.from({ length: 10_000 }, (_, index) => ({ value: `m${index}` }));
    const tooMany = scimError(400, "invalidValue", expect.stringContaining("more than 500"));
    expect(await scim.send("POST", "/Groups", { displayName: "Huge", members })).toMatchObject(tooMany);
    expect(await scim.patch(`/Groups/${group}`, { op: "add", path: "members", value: members })).toMatchObject(tooMany);
    const operations = members.map((member) => ({ op: "add", path: "members", value: [member] }));
    expect(await scim.patch(`/Groups/${group}`, ...operations.slice(0, 1_000), ...operations)).toMatchObject({ status: 400 });
  });
});
