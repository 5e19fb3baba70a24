/**
 * The path below which this server is: `/gatehouse`. Empty if it has its own host. The built files are in a folder below it. Addresses
 * of the router don't have it.
 */
export const BASE_PATH = import.meta.env.PROD ? new URL("..", import.meta.url).pathname.slice(0, -1) : "";

/** The URL of this server. */
export const serverURL = (): string => location.origin + BASE_PATH;
