import { expect, test } from "vitest";
import { contextToUser } from "./context-to-user.ts";

test("the targeting key is the user's ID", () => {
  expect(contextToUser({ targetingKey: "alice" })).toEqual({ userID: "alice", custom: {}, customIDs: {} });
});

test("a userID takes precedence over the targeting key, even as a number", () => {
  expect(contextToUser({ targetingKey: "session-1", userID: "alice" }).userID).toBe("alice");
  expect(contextToUser({ targetingKey: "session-1", userID: 7 }).userID).toBe(7);
  expect(contextToUser({ targetingKey: "session-1", userID: null }).userID).toBe("session-1");
});

test("known fields of users are set as such", () => {
  const fields = { email: "a@b.c", ip: "1.1.1.1", userAgent: "curl/8", country: "DE", locale: "de_DE", appVersion: "1.2.3" };
  expect(contextToUser({ targetingKey: "alice", ...fields })).toEqual({ userID: "alice", ...fields, custom: {}, customIDs: {} });
});

test("a known field that is not text becomes a custom field", () => {
  expect(contextToUser({ targetingKey: "alice", appVersion: 2, email: null })).toEqual({
    userID: "alice",
    custom: { appVersion: 2 },
    customIDs: {},
  });
});

test("any other attribute is a custom field and, if it is text or a number, a unit ID", () => {
  expect(contextToUser({ targetingKey: "alice", companyID: "acme", age: 30, beta: true, roles: ["admin"], nickname: null })).toEqual({
    userID: "alice",
    custom: { companyID: "acme", age: 30, beta: true, roles: ["admin"] },
    customIDs: { companyID: "acme", age: 30 },
  });
});

test("customIDs and custom are kept as they are and take precedence over attributes", () => {
  const context = { targetingKey: "alice", plan: "free", companyID: "acme", custom: { plan: "pro" }, customIDs: { companyID: "globex" } };
  expect(contextToUser(context)).toEqual({
    userID: "alice",
    custom: { plan: "pro", companyID: "acme" },
    customIDs: { plan: "free", companyID: "globex" },
  });
});

test("private attributes are kept apart from those that are logged", () => {
  expect(contextToUser({ targetingKey: "alice", privateAttributes: { salary: 1 } })).toEqual({
    userID: "alice",
    custom: {},
    customIDs: {},
    privateAttributes: { salary: 1 },
  });
});

test("the environment is the user's tier, unless the tier itself is given", () => {
  expect(contextToUser({ targetingKey: "alice", environment: "staging" })).toEqual({
    userID: "alice",
    custom: { environment: "staging" },
    customIDs: { environment: "staging" },
    statsigEnvironment: { tier: "staging" },
  });
  const both = { targetingKey: "alice", environment: "staging", statsigEnvironment: { tier: "production" } };
  expect(contextToUser(both).statsigEnvironment).toEqual({ tier: "production" });
});

test("an attribute named tier is an ordinary attribute, since customers have tiers too", () => {
  expect(contextToUser({ targetingKey: "alice", tier: "gold" }).statsigEnvironment).toBeUndefined();
});

test("defaults fill what the context leaves out", () => {
  const defaults = { ip: "9.9.9.9", userAgent: "Firefox" };
  expect(contextToUser({ targetingKey: "alice", ip: "1.1.1.1" }, defaults)).toEqual({
    userID: "alice",
    ip: "1.1.1.1",
    userAgent: "Firefox",
    custom: {},
    customIDs: {},
  });
});

test("an attribute named __proto__ changes no object's prototype", () => {
  const user = contextToUser(JSON.parse('{"targetingKey":"alice","__proto__":{"plan":"pro"}}'));
  expect(user).toEqual({ userID: "alice", custom: {}, customIDs: {} });
  expect((user.custom as { plan?: string }).plan).toBeUndefined();
});
