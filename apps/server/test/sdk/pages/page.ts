import type { Application, Connection } from "../support/sdk.ts";

/** The API of a page for its test: starts an application. */
export type Page = Application & { start(connection: Connection): Promise<void> };
