// Compiled by `check`, never run: the credentials that a client of the console API accepts.
import { createConsoleClient } from "./clients.ts";

const baseUrl = "http://gatehouse.test";

createConsoleClient({ baseUrl, apiKey: "console-key" });
createConsoleClient({ baseUrl });
createConsoleClient({ baseUrl, session: "secret" });
createConsoleClient({ baseUrl, projectID: "shop" });
createConsoleClient({ baseUrl, session: "secret", projectID: "shop" });
// @ts-expect-error: a key and a session
createConsoleClient({ baseUrl, apiKey: "console-key", session: "secret" });
// @ts-expect-error: a key belongs to one project
createConsoleClient({ baseUrl, apiKey: "console-key", projectID: "shop" });
// @ts-expect-error: no URL
createConsoleClient({ session: "secret" });
