// A server of a ClickHouse cluster for tests: today's engine as `clickhouse local`, which listens by itself, by HTTP and for the other servers.
// `node shard.mjs FOLDER HTTP_PORT TCP_PORT` reads `config.xml` of the folder, and ends when its standard input does.
import { join } from "node:path";
import { libchdbPath } from "chdb/libchdb";
import { DataType, load, open } from "ffi-rs";

const [folder, httpPort, tcpPort] = process.argv.slice(2);
// It listens for as long as its statements run.
const FOREVER = "select sleepEachRow(1) from system.numbers settings max_block_size = 1 format Null";
const args = [
  "clickhouse-local",
  `--config-file=${join(folder, "config.xml")}`,
  `--path=${join(folder, "data")}`,
  "--listen_host=127.0.0.1",
  `--http_port=${httpPort}`,
  `--tcp_port=${tcpPort}`,
  `--query=system start listen tcp; system start listen http; ${FOREVER}`,
];
open({ library: "engine", path: libchdbPath() });
load({
  ...{ library: "engine", funcName: "chdb_query_cmdline", retType: DataType.External, runInNewThread: true },
  ...{ paramsType: [DataType.I32, DataType.StringArray], paramsValue: [args.length, args] },
}).then(() => process.exit(1));

// The process that started it may be killed.
process.stdin.resume().on("end", () => process.kill(process.pid, "SIGKILL"));
