import { expect, test } from "vitest";
import { chooseColumns, findView, isShown, parseListSettings, toViewSearch, type View, withView } from "./list-settings.ts";

const columns = [{ id: "name", isRowHeader: true }, { id: "status" }, { id: "owner", isOptional: true }];
const view = (name: string, search: object = {}): View => ({ name, search: { ...search }, columns: {} });

test.each([null, "", "{", "[]", "3", '{"columns":[],"views":{}}', '{"views":[null,{"name":1,"search":{}},{"name":"a","search":[]}]}'])(
  "kept settings that are none, such as %s, count as empty",
  (text) => {
    expect(parseListSettings(text)).toEqual({ columns: {}, views: [] });
  },
);

test("kept columns and views are read, without parts of other types", () => {
  const kept = { columns: { owner: true, tags: "no" }, views: [{ name: "Mine", search: { ownerID: "a" }, columns: { tags: 1 } }] };
  expect(parseListSettings(JSON.stringify(kept))).toEqual({
    columns: { owner: true },
    views: [{ name: "Mine", search: { ownerID: "a" }, columns: {} }],
  });
});

test("a list shows its names always, usual columns unless they are hidden, and optional ones once they are chosen", () => {
  const shown = (choice: Record<string, boolean>) => columns.filter((column) => isShown(column, choice)).map(({ id }) => id);
  expect(shown({})).toEqual(["name", "status"]);
  expect(shown({ name: false, status: false, owner: true })).toEqual(["name", "owner"]);
});

test("only differences from the usual columns are kept, beside those of columns that the list does not have now", () => {
  expect(chooseColumns(columns, new Set(["status"]), { "environment:canary": false })).toEqual({ "environment:canary": false });
  expect(chooseColumns(columns, new Set(["owner"]), { status: true })).toEqual({ status: false, owner: true });
});

test("a view keeps filters and order, without the open page and the environment", () => {
  expect(toViewSearch({ status: "Disabled", sort: "name", page: 3, environment: "production", tags: undefined })).toEqual({
    status: "Disabled",
    sort: "name",
  });
});

test("views are sorted by name, and a view replaces the one of its name", () => {
  const views = withView(withView([view("b")], view("a")), view("b", { status: "x" }));
  expect(views).toEqual([view("a"), view("b", { status: "x" })]);
});

test("the open view is the one with the same filters and columns, in any order of parameters", () => {
  const views = [view("all"), { ...view("off", { status: "Disabled", sort: "name" }), columns: { owner: true, tags: false } }];
  const find = (search: object, choice: Record<string, boolean>) => findView(views, search, choice)?.name;
  expect(find({ page: 2 }, {})).toBe("all");
  expect(find({ sort: "name", status: "Disabled" }, { tags: false, owner: true })).toBe("off");
  expect(find({ sort: "name", status: "Disabled" }, {})).toBeUndefined();
});
