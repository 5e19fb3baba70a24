import type { ConsoleClient } from "@gatehouse/client";
import type { Locator, Page } from "@playwright/test";

/** An entity that exists, and the title of its page. */
export type Made = { id: string; title: string };

/** The flow that kinds with a list, a page and a history share: creation, search, a merge of two saves, history and deletion. */
export type Flow = {
  name: string;
  /** Left out where it does not follow from the name. */
  id?: string;
  /** Creates entities that the creation needs. */
  prepare?: (api: ConsoleClient) => Promise<unknown>;
  /** Texts of the creation dialog besides the name, by label. */
  fields?: readonly (readonly [label: string, text: string])[];
  /** Fills fields of the creation dialog that take more than a text. */
  complete?: (page: Page, dialog: Locator) => Promise<void>;
  read: (api: ConsoleClient, id: string) => Promise<{ data: object }>;
  /** Stored fields after the creation. */
  created: Record<string, unknown>;
  /** Tab with the field that two people change: by default Details, null for the first tab. */
  tab?: string | null;
  /** Changes the field: by default, writes "Mine" as the description. */
  edit?: (page: Page) => Promise<void>;
  /** Name of the field where conflicts are shown. */
  field?: string;
  /** Another person changes the same field, and sometimes a second one. */
  theirs: (api: ConsoleClient, id: string) => Promise<unknown>;
  /** Stored fields after the merge that keeps my value. */
  merged?: Record<string, unknown>;
  /** Text of its row in the list, besides the name. */
  row?: string;
  /** Text of the deletion dialog about the lost data. */
  loss?: string;
};

/** The data that the tests of all kinds need from a kind. Each kind with a page has a file in `test/kinds/`. */
export type KindTest = {
  /** Creates an entity with hostile names and texts. */
  createHostile: (api: ConsoleClient) => Promise<Made>;
  /** Addresses of further pages that show the entity. */
  listFurtherPages?: (api: ConsoleClient) => Promise<string[]>;
  /** Null for a kind whose own test file has all of its flows. */
  flow: Flow | null;
};

export const THEIRS = { description: "Theirs" };
export const QUERY = "select * from rows_of_the_shop";
export const CUSTOMER = ["Column with the userID", "customer"] as const;
const idTypeMapping = [{ serviceUnitID: "userID", column: "customer" }];
export const SOURCE = { sql: QUERY, idTypeMapping };
