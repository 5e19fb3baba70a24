// ClickHouse for tests: the engine in this process (chdb), behind the part of ClickHouse's HTTP interface that @clickhouse/client uses.
// `node server.mjs FOLDER [PORT]` prints its URL once it listens, and ends when its standard input does.
// Statements run one after the other. It knows no users, does not cancel statements, and forgets sessions.
import { createServer } from "node:http";
import { gunzipSync } from "node:zlib";
import { Session } from "chdb";

const [folder, port = "0"] = process.argv.slice(2);
const engine = new Session(folder);
/** Parameters of a request that are not settings of its statement. */
const NO_SETTINGS = new Set([
  ...["query", "database", "query_id", "session_id", "session_timeout", "default_format", "user", "password", "role"],
  ...["enable_http_compression", "compress", "decompress", "wait_end_of_query", "send_progress_in_http_headers"],
]);

let database = "default";
let last = Promise.resolve();

/** Runs a statement after those before it. */
function inTurn(work) {
  const result = last.then(work);
  last = result.catch(() => {});
  return result;
}

async function execute(address, body) {
  const asked = Object.fromEntries(address.searchParams);
  const given = [asked.query, body].filter(Boolean).join("\n");
  const texts = pick(asked, (name) => name.startsWith("param_") && [name.slice("param_".length)]);
  const settings = pick(asked, (name) => !name.startsWith("param_") && !NO_SETTINGS.has(name) && [name]);
  const { statement, format = asked.default_format ?? "TabSeparated" } = withSettings(given.trimStart(), settings);
  requireOne(statement);
  if ((asked.database ?? "default") !== database) {
    await engine.queryAsync(`use ${asked.database ?? "default"}`);
    database = asked.database ?? "default";
  }
  const parameters = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, valueIn(text, statement.includes(`{${name}:Array`))]),
  );
  const hasParameters = Object.keys(parameters).length > 0;
  const result = await (hasParameters
    ? engine.queryBindAsync(statement, parameters, { format })
    : engine.queryAsync(statement, { format }));
  return result.bytes();
}

/** The server takes one statement over HTTP, and the engine several. The rows of an insert may have any signs. */
function requireOne(statement) {
  if (/^insert\b/i.test(statement)) return;
  const bare = statement.replace(/'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|--[^\n]*|\/\*.*?\*\//gs, " ");
  if (/;\s*\S/.test(bare)) throw new Error("Code: 62. DB::Exception: Syntax error (Multi-statements are not allowed). (SYNTAX_ERROR)");
}

/** The entries whose name is chosen, under the name that is. */
function pick(values, choose) {
  return Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (choose(name) || []).map((chosen) => [chosen, value])));
}

/** The value of a parameter from its text in the request. The engine's binding escapes values once more. */
function valueIn(text, isList) {
  if (!isList) return unescaped(text);
  if (!text.includes("'")) return text.slice(1, -1).split(",").filter(Boolean).map(Number);
  return Array.from(text.matchAll(/'((?:[^'\\]|\\.)*)'/gs), ([, item]) => unescaped(item));
}

const ESCAPES = { t: "\t", n: "\n", r: "\r", b: "\b", f: "\f", 0: "\0" };
const unescaped = (text) => text.replace(/\\(.)/gs, (_, sign) => ESCAPES[sign] ?? sign);

/** A statement with its settings in it, which the engine takes in no other way, and the format that it asks for. */
function withSettings(text, settings) {
  const list = Object.entries(settings).map(([name, value]) => `${name} = '${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`);
  const insert = /^insert\s+into\s+\S+\s*(\([^)]*\)\s*)?(?=format\s)/i.exec(text);
  if (insert) {
    const [head] = insert;
    return { statement: list.length > 0 ? `${head}settings ${list.join(", ")} ${text.slice(head.length)}` : text };
  }
  const [, statement = text, format] = /^(.*?)\s+format\s+(\w+)\s*;?\s*$/is.exec(text) ?? [];
  const answers = /^(select|with|\()/i.test(text);
  if (!answers || list.length === 0) return { statement, format };
  const isSet = /\bsettings\s+\w+\s*=[^()]*$/i.test(statement);
  return { statement: `${statement}${isSet ? "," : " settings"} ${list.join(", ")}`, format };
}

async function readBody(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  return (request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body).toString();
}

const server = createServer(async (request, response) => {
  const address = new URL(request.url, "http://engine");
  if (address.pathname === "/ping") return response.end("Ok.\n");
  try {
    const body = await readBody(request);
    const bytes = await inTurn(() => execute(address, body));
    response.writeHead(200, { "content-type": "application/octet-stream", "x-clickhouse-summary": "{}" }).end(bytes);
  } catch (error) {
    const [, code = "1002"] = /Code: (\d+)/.exec(error.message) ?? [];
    response.writeHead(500, { "x-clickhouse-exception-code": code }).end(error.message);
  }
});
server.listen(Number(port), "127.0.0.1", () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`));

// The process that started it may be killed.
process.stdin.resume().on("end", () => process.exit());
