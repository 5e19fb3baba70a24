import { describe, expect, test } from "vitest";
import { fromText, toText, withNumber } from "./entity-text.ts";

type Entity = { name: string; count: number; rest?: object };

describe("an entity that was read", () => {
  test("is the same object for everyone who reads the same text, and keeps that text", () => {
    const text = '{ "name":"read twice" }';
    const entity = fromText<Entity>(text);
    expect(fromText(text.slice())).toBe(entity);
    expect(toText(entity)).toBe(text);
  });

  test("is evicted once four million characters of other texts were read", () => {
    const entity = fromText<Entity>('{"name":"read long ago"}');
    for (let index = 0; index < 4; index++) fromText(`{"name":"${String(index).repeat(1_000_000)}"}`);
    expect(fromText('{"name":"read long ago"}')).not.toBe(entity);
  });
});

describe("an entity with another number", () => {
  test.each([
    ['{"name":"a","count":0,"rest":{}}', '{"name":"a","count":12,"rest":{}}'],
    ['{"name":"a","count":1.5}', '{"name":"a","count":12}'],
    ['{ "count":0,"name":"\\"count\\":0" }', '{ "count":12,"name":"\\"count\\":0" }'],
  ])("has the text of %s with only the number replaced", (text, expected) => {
    const changed = withNumber(fromText<Entity>(text), "count", 12);
    expect(toText(changed)).toBe(expected);
    expect(changed).toEqual(JSON.parse(expected));
  });

  test("does not change a nested field of the same name", () => {
    const changed = withNumber(fromText<Entity>('{"rest":{"count":0},"name":"a","count":0}'), "count", 12);
    expect(JSON.parse(toText(changed))).toEqual({ name: "a", count: 12, rest: { count: 0 } });
  });

  test("does not change the original entity", () => {
    const entity = fromText<Entity>('{"name":"a","count":0}');
    withNumber(entity, "count", 12);
    expect([toText(entity), entity.count]).toEqual(['{"name":"a","count":0}', 0]);
  });
});

describe("an entity that was read", () => {
  test("is frozen in tests, at any depth", () => {
    const entity = fromText<Entity & { rest: { count: number } }>('{"name":"a","count":0,"rest":{"count":0}}');
    expect(() => Object.assign(entity, { count: 1 })).toThrow(TypeError);
    expect(() => Object.assign(entity.rest, { count: 1 })).toThrow(TypeError);
  });
});
