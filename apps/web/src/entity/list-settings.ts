// A person's columns and saved views of a list. Pure.

/** Columns that are shown or hidden unlike the list's usual ones, by id. */
export type ColumnChoice = Readonly<Record<string, boolean>>;

/** Filters, order and columns of a list under a name. */
export type View = { name: string; search: Readonly<Record<string, unknown>>; columns: ColumnChoice };

export type ListSettings = { columns: ColumnChoice; views: readonly View[] };

/** The most views that a list keeps. The form refuses more. */
export const MAX_VIEWS = 50;
export const MAX_VIEW_NAME = 100;

/** Parameters that are no part of a view: the open page, and the environment, which the page's header chooses. */
const APART: ReadonlySet<string> = new Set(["page", "environment"]);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

const toChoice = (value: unknown): ColumnChoice =>
  isObject(value) ? (Object.fromEntries(Object.entries(value).filter(([, isShown]) => typeof isShown === "boolean")) as ColumnChoice) : {};

const toView = (value: unknown): View[] =>
  isObject(value) && typeof value.name === "string" && isObject(value.search)
    ? [{ name: value.name, search: value.search, columns: toChoice(value.columns) }]
    : [];

/** The kept settings. Anything else counts as none. */
export function parseListSettings(text: string | null): ListSettings {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    if (!isObject(value)) return { columns: {}, views: [] };
    return { columns: toChoice(value.columns), views: Array.isArray(value.views) ? value.views.flatMap(toView).slice(0, MAX_VIEWS) : [] };
  } catch {
    return { columns: {}, views: [] };
  }
}

type Column = { id: string; isRowHeader?: boolean; isOptional?: boolean };

/** Whether a column is shown. The names of rows always are. */
export const isShown = ({ id, isRowHeader = false, isOptional = false }: Column, choice: ColumnChoice): boolean =>
  isRowHeader || (Object.hasOwn(choice, id) ? choice[id] === true : !isOptional);

/** The choice after exactly these columns were chosen. Only differences from the usual columns are kept, so that new columns appear. */
export function chooseColumns(columns: readonly Column[], shown: ReadonlySet<string>, known: ColumnChoice): ColumnChoice {
  const others = Object.entries(known).filter(([id]) => columns.every((column) => column.id !== id));
  const changed = columns
    .filter((column) => column.isRowHeader !== true && shown.has(column.id) !== isShown(column, {}))
    .map(({ id }) => [id, shown.has(id)] as const);
  return Object.fromEntries([...others, ...changed]);
}

/** The parameters of an address that a view keeps. */
export const toViewSearch = (search: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(search).filter(([name, value]) => value !== undefined && !APART.has(name)));

/** The views with one more, by name. It replaces the one of the same name. */
export const withView = (views: readonly View[], view: View): View[] =>
  [...views.filter(({ name }) => name !== view.name), view].toSorted((a, b) => (a.name < b.name ? -1 : 1));

/** The view that shows what the list shows now. */
export function findView(views: readonly View[], search: object, columns: ColumnChoice): View | undefined {
  const current = normalized(toViewSearch(search), columns);
  return views.find((view) => normalized(view.search, view.columns) === current);
}

const normalized = (search: object, columns: object): string => JSON.stringify([search, columns].map(sortedEntries));
const sortedEntries = (of: object) => Object.entries(of).toSorted(([a], [b]) => (a < b ? -1 : 1));
