/** How people run the published package, or undefined in the build of a clone. A global installation has a command of its own, as in the image. */
const installed = /\/lib\/node_modules\/@gatehouse\/server\//.test(import.meta.url)
  ? "gatehouse-server"
  : /\/node_modules\/@gatehouse\/server\//.test(import.meta.url)
    ? "npx @gatehouse/server"
    : undefined;

/** How people start the server. */
export const START_COMMAND = installed ?? "node apps/server/dist/main.js";

/** How people run the commands of administrators, such as `keys create`. */
export const ADMIN_COMMAND = installed ?? "node apps/server/dist/cli/main.js";
