/** Whether this is the published package. Otherwise it is the build of a clone. */
const isInstalled = import.meta.url.includes("/node_modules/@gatehouse/server/");

/** How people start the server. */
export const START_COMMAND = isInstalled ? "npx @gatehouse/server" : "node apps/server/dist/main.js";

/** How people run the commands of administrators, such as `keys create`. */
export const ADMIN_COMMAND = isInstalled ? "npx @gatehouse/server" : "node apps/server/dist/cli/main.js";
