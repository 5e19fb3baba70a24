#!/usr/bin/env node
// The command of the published package. Alone it starts the server, and with `relay` a relay. With another topic, such as `keys`, it is the
// command line of administrators.
const [topic] = process.argv.slice(2);
if (topic === undefined || topic.startsWith("-")) await import("./main.ts");
else if (topic === "relay") await import("./relay/main.ts");
else await import("./cli/main.ts");

export {};
