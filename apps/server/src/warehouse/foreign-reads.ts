/** The table functions that only read tables that the user may read, or the query itself. In lower case. */
const LOCAL = new Set(
  "dictionary format generate_series generaterandom generateseries merge null numbers numbers_mt values view zeros zeros_mt".split(" "),
);

/** Functions that read files, or that name other servers also where they stand for a table: after `in`, for example. */
const FOREIGN =
  /^(arrowflight|azure|cluster|cosn|deltalake|executable|file|gcs|hdfs|hudi|iceberg|jdbc|mongo|mysql|odbc|oss|paimon|postgresql|prometheus|python|redis|remote|s3|sqlite|url$|urlcluster|ytsaurus)/;

/**
 * The name of a query's function that lets ClickHouse read files or other servers; undefined if the query has no such function. `readonly =
 * 1` lets some of them connect to any host that ClickHouse reaches.
 * @param tree the lines of `explain ast`, which parses a query and does not resolve it
 */
export function findForeignRead(tree: readonly string[]): string | undefined {
  for (const [index, line] of tree.entries()) {
    const [, name] = /^ *Function (\S+)/.exec(line) ?? [];
    if (name === undefined) continue;
    const isTable = /^ *TableExpression\b/.test(tree[index - 1] ?? "");
    if (FOREIGN.test(name.toLowerCase()) || (isTable && !LOCAL.has(name.toLowerCase()))) return name;
  }
  return undefined;
}
