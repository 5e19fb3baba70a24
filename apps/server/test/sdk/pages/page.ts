import type { Application, Connection } from "../support/sdk.ts";

/** What a page in a browser offers to its test: an application that it is told to start. */
export type Page = Application & { start(connection: Connection): Promise<void> };
