import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { AddressInfo, Socket } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { createSecureContext, TLSSocket } from "node:tls";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { openPostgres } from "../../src/store/database/database.ts";
import { asAdmin } from "../support/database.ts";
import { createEmptyPostgres } from "../support/empty-database.ts";
import { needs } from "../support/needs.ts";
import { start, startReady, temporaryFolder } from "../support/process.ts";

// Mistakes of operators end the built server with one message that names the fix, without a stack.

const folder = temporaryFolder();
afterAll(() => folder.remove());

async function failed(env: Record<string, string>, args: string[] = []) {
  const { code, stdout, stderr } = await start("main.js", env, args).ended;
  return { code, stdout, stderr };
}

const message = (stderr: string) => ({ code: 1, stdout: "", stderr: `${stderr}\n` });

describe("a data folder", needs.embedded, () => {
  const advice = "Let the user that runs Gatehouse read and write it and everything in it, or set GATEHOUSE_DATA_DIR to another folder.";
  afterEach(() => chmodSync(folder.path, 0o700));

  test("below a file is refused", async () => {
    const path = join(folder.path, "file");
    writeFileSync(path, "");
    const cause = `ENOTDIR: not a directory, mkdir '${path}/data/postgres'`;
    expect(await failed({ GATEHOUSE_DATA_DIR: `${path}/data` })).toEqual(
      message(`The data folder ${path}/data cannot be used: ${cause}. ${advice}`),
    );
  });

  test("with an entry in place of a database is refused", async () => {
    const path = join(folder.path, "odd");
    mkdirSync(join(path, "postgres", "PG_VERSION"), { recursive: true });
    const { code, stderr } = await failed({ GATEHOUSE_DATA_DIR: path });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^The data folder \S+ cannot be used: .*\n$/)]);
  });
});

describe("arguments", needs.embedded, () => {
  test("--help prints the usage and starts nothing", async () => {
    const { code, stdout, stderr } = await failed({}, ["--help"]);
    expect([code, stderr, stdout.split("\n")[0]]).toEqual([0, "", "Usage: node apps/server/dist/main.js"]);
  });

  test("others are refused", async () => {
    const { code, stdout, stderr } = await failed({}, ["--port", "4001"]);
    expect([code, stdout, stderr.split("\n")[0]]).toEqual([2, "", "The server has no argument --port."]);
  });
});

describe("an address", needs.embedded, () => {
  test("that does not exist is refused", async () => {
    const { code, stderr } = await failed({ GATEHOUSE_DATA_DIR: "memory", HOST: "nowhere.invalid" });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^HOST and PORT cannot be used: getaddrinfo \w+ nowhere\.invalid\n$/)]);
  });
});

describe("a Postgres", needs.postgres, () => {
  /** The address of an empty database for a new role. Only the database's owner can create tables there. */
  async function withRole(name: string, prepare: string): Promise<string> {
    const admin = await createEmptyPostgres();
    const role = `${name}_${new URL(admin).pathname.slice(-12)}`;
    await asAdmin(admin, `create role ${role} login`);
    await asAdmin(admin, "revoke create on schema public from public");
    for (const statement of prepare.replaceAll("ROLE", role).split(";")) await asAdmin(admin, statement);
    const url = new URL(admin);
    // Past a pooler, which does not know the role.
    url.host = new URL(process.env.TEST_DATABASE_URL as string).host;
    url.username = role;
    url.password = "";
    return url.href;
  }

  test("with a role that may not create tables is refused", async () => {
    const url = await withRole("restricted", "select 1");
    expect(await failed({ DATABASE_URL: url })).toEqual(
      message(
        "The database does not let its role create tables: permission denied for schema public. Let the role create tables there: make it the owner of the database, or run `grant create on schema public to ROLE`. To use another schema, run `alter role ROLE set search_path = SCHEMA`.",
      ),
    );
  });

  test("with a role that has its own schema keeps everything in it", async () => {
    const url = await withRole("elsewhere", "create schema flags authorization ROLE; alter role ROLE set search_path = flags");
    const server = await startReady({ DATABASE_URL: url });
    expect((await server.stop()).code).toBe(0);
    const { db, close } = openPostgres(url);
    const schemas = await db.$queryRaw`select distinct schemaname from pg_tables where schemaname !~ '^(pg_|information_schema)'`;
    expect(schemas).toEqual([{ schemaname: "flags" }]);
    await close();
  });

  test("with a certificate of an unknown authority is refused, and accepted with the authority's file", async () => {
    const files = { key: join(folder.path, "key.pem"), cert: join(folder.path, "cert.pem") };
    const openssl = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"];
    execFileSync("openssl", [...openssl, "-addext", "subjectAltName=DNS:localhost", "-keyout", files.key, "-out", files.cert], {
      stdio: "ignore",
    });
    const server = await serveTLS(files);
    const url = `postgres://localhost:${server.port}/flags?sslmode=verify-full`;
    expect(await failed({ DATABASE_URL: url })).toEqual(
      message(
        "The database's certificate is not trusted: self-signed certificate. If an authority of your own signed it, set NODE_EXTRA_CA_CERTS to the file of the authority's certificate. A Postgres URL can also name it: sslrootcert=FILE.",
      ),
    );
    const trusted = start("main.js", { DATABASE_URL: `${url}&sslrootcert=${files.cert}` });
    await server.greeted;
    trusted.child.kill("SIGKILL");
    await server.close();
  });
});

/** A server that answers the request for TLS as Postgres does, with a certificate. It closes the connection of clients that trust the certificate. */
async function serveTLS(files: { key: string; cert: string }) {
  const secureContext = createSecureContext({ key: readFileSync(files.key), cert: readFileSync(files.cert) });
  let greet = () => {};
  const greeted = new Promise<void>((resolve) => {
    greet = resolve;
  });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("data", () => {
      socket.write("S");
      const secure = new TLSSocket(socket, { isServer: true, secureContext });
      secure.on("error", () => {}).once("data", greet);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "localhost", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    greeted,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
