import { ConsoleApiError, createConsoleClient, pages } from "@gatehouse/client";

const api = createConsoleClient({ baseUrl: process.env.BASE_URL, apiKey: process.env.API_KEY });
const refusal = (call) => call.then(() => undefined).catch((error) => error);

const { data: gate, etag } = await api.createGate({ body: { name: "New checkout" } });
await api.createGate({ body: { name: "second" } });
await api.createGate({ body: { name: "third" } });

const listed = [];
for await (const { id } of pages(api.listGates, { query: { limit: 2 } })) listed.push(id);

const path = { id: gate.id };
const { data: changed } = await api.patchGate({ path, body: { description: "The one-page checkout." }, ifMatch: etag });
const stale = await refusal(api.patchGate({ path, body: { description: "" }, ifMatch: etag }));
const invalid = await refusal(api.createGate({ body: { name: "" } }));
const missing = await refusal(api.getGate({ path: { id: "nope" } }));

const { headers } = await new Promise((resolve) => {
  const fetch = async (request) => {
    resolve(request);
    return Response.json({});
  };
  createConsoleClient({ baseUrl: process.env.BASE_URL, apiKey: process.env.API_KEY, fetch }).getSession();
});

const report = {
  created: gate.id,
  listed: listed.sort(),
  changed: changed.description,
  stale: { status: stale.status, code: stale.code, isConsoleApiError: stale instanceof ConsoleApiError },
  invalid: [...new Set(invalid.errors.map(({ property }) => property))],
  missing: missing.message,
  userAgent: headers.get("User-Agent"),
};
process.stdout.write(JSON.stringify(report));
