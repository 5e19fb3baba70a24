// The reference: Express and pg with one prepared statement per request. No validation, no authentication, no change log. It reads the same
// rows as Gatehouse, and writes to its own table.
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import express from "express";
import pg from "pg";

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 16 });
const query = (name, text, values) => pool.query({ name, text, values });
/** The compression level of common reverse proxies. The default takes a hundred times as long. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const app = express();
app.use(express.json());

app.get("/gates/:id", async (request, response) => {
  const { rows } = await query("get", `select entity from gate where "projectID" = 'default' and id = $1`, [request.params.id]);
  response.json({ message: "Gate read.", data: JSON.parse(rows[0].entity) });
});

app.get("/gates", async (_request, response) => {
  const sql = `select entity from gate where "projectID" = 'default' and not "isArchived" order by "createdTime" desc, id limit 100`;
  const { rows } = await query("list", sql, []);
  response.json({ message: "Gates listed.", data: rows.map(({ entity }) => JSON.parse(entity)) });
});

app.post("/gates", async (request, response) => {
  const gate = { ...request.body, id: request.body.name, createdTime: Date.now() };
  await query("create", "insert into bare_gate (id, created_time, entity) values ($1, $2, $3)", [
    gate.id,
    gate.createdTime,
    JSON.stringify(gate),
  ]);
  response.status(201).json({ message: "Gate created.", data: gate });
});

app.post("/gates/:id", async (request, response) => {
  const gate = { ...request.body, id: request.params.id };
  await query("update", "update bare_gate set entity = $2 where id = $1", [gate.id, JSON.stringify(gate)]);
  response.json({ message: "Gate updated.", data: gate });
});

// For evaluation: parses the body and always sends the same response.
app.post("/ofrep/v1/evaluate/flags/:key", (request, response) => {
  response.json({ key: request.params.key, value: request.body !== undefined, reason: "STATIC" });
});

app.get("/v1/download_config_specs", (_request, response) => void response.json({ has_updates: false }));

// All flags for one user: parses the body and sends the stored response, compressed each time if the caller accepts that.
const answers = new Map();
const COMPRESS = { gzip: promisify(gzip), br: (bytes) => promisify(brotliCompress)(bytes, BROTLI) };
for (const path of ["/v1/initialize", "/ofrep/v1/evaluate/flags"]) {
  app.put(path, express.raw({ limit: "100mb" }), (request, response) => {
    answers.set(path, request.body);
    response.end();
  });
  app.post(path, async (request, response) => {
    const answer = request.body === undefined ? undefined : answers.get(path);
    const encoding = request.get("Accept-Encoding");
    const compress = COMPRESS[encoding];
    if (compress) response.set("Content-Encoding", encoding);
    response.type("json").end(compress ? await compress(answer) : answer);
  });
}

app.listen(Number(process.env.PORT), "127.0.0.1");
