import type pg from "pg";

/** The most prepared statements of a connection. */
const MAX_PREPARED = 300;

/** A column of a result, and its parser. */
export type Field = { name: string; parse: (text: string) => unknown };

/** A prepared statement: its name on the connection, and its columns once a result has described them. */
export type Prepared = { name: string; fields?: Field[] };

/** The prepared statements of one connection, by text. The oldest is evicted for a new one. */
export type PreparedStatements = {
  find(text: string): Prepared | undefined;
  /** Adds a statement that is about to be prepared. */
  add(text: string): Prepared;
  forget(text: string): void;
  /** Returns the names of evicted statements, which have to be closed on the connection. */
  takeUnused(): string[];
};

const ofClients = new WeakMap<pg.ClientBase, PreparedStatements>();

export function getStatements(client: pg.ClientBase): PreparedStatements {
  let statements = ofClients.get(client);
  if (!statements) {
    statements = createPreparedStatements();
    ofClients.set(client, statements);
  }
  return statements;
}

function createPreparedStatements(): PreparedStatements {
  const prepared = new Map<string, Prepared>();
  let unused: string[] = [];
  let count = 0;

  function forget(text: string): void {
    const known = prepared.get(text);
    if (!known) return;
    prepared.delete(text);
    unused.push(known.name);
  }

  return {
    forget,
    find: (text) => prepared.get(text),
    add(text) {
      if (prepared.size >= MAX_PREPARED) forget(prepared.keys().next().value as string);
      const statement = { name: `s${count++}` };
      prepared.set(text, statement);
      return statement;
    },
    takeUnused() {
      const names = unused;
      unused = [];
      return names;
    },
  };
}
