import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { readPages } from "../support/documentation.ts";
import { startTestRelay } from "../support/relay.ts";
import { startServer, type TestServer } from "../support/server.ts";

/** A metric as `/metrics` describes it. */
type Described = { type: string; labels: readonly string[] };

let server: TestServer;
let described: Map<string, Described>;
/** Metrics that only relays have. They have no labels. */
let ofRelays: Map<string, Described>;
beforeAll(async () => {
  server = await startServer();
  const { registry } = server.instruments;
  described = new Map(
    (await readTypes(server)).map(([name, type]) => {
      const { labelNames } = registry.getSingleMetric(name) as unknown as { labelNames: readonly string[] };
      return [name, { type, labels: labelNames }];
    }),
  );
  const relay = await startTestRelay(server);
  ofRelays = new Map(
    (await readTypes(relay)).filter(([name]) => name.startsWith("gatehouse_relay_")).map(([name, type]) => [name, { type, labels: [] }]),
  );
  await relay.close();
});
afterAll(() => server.close());

/** The name and type of each metric that `/metrics` describes. */
async function readTypes({ send }: Pick<TestServer, "send">): Promise<[name: string, type: string][]> {
  const { text } = await send("GET", "/metrics", { key: null });
  return [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name = "", type = ""]) => [name, type]);
}

const read = (file: string) => readFileSync(new URL(`../../../../deploy/grafana/${file}`, import.meta.url), "utf8");

/** The labels that Prometheus adds when it scrapes. */
const TARGET_LABELS = ["job", "instance"];

/** The metric that has a series. The series of a histogram have suffixes. */
function metricOf(series: string): Described | undefined {
  const own = described.get(series) ?? ofRelays.get(series);
  if (own && own.type !== "histogram") return own;
  const [, base = "", suffix] = /^(.+)_(bucket|sum|count)$/.exec(series) ?? [];
  const histogram = described.get(base);
  if (histogram?.type !== "histogram") return undefined;
  return suffix === "bucket" ? { ...histogram, labels: [...histogram.labels, "le"] } : histogram;
}

/** The series and labels of a PromQL expression that `/metrics` doesn't have. */
function unknownNames(expression: string): string[] {
  const all = [...expression.matchAll(/\b((?:gatehouse|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)];
  if (all.length === 0) return [`no metric in ${expression}`];
  const possible = new Set(TARGET_LABELS);
  const unknown = all.flatMap(([, series = "", matchers = ""]) => {
    const metric = metricOf(series);
    if (!metric) return [series];
    for (const label of metric.labels) possible.add(label);
    const own = [...TARGET_LABELS, ...metric.labels];
    return [...matchers.matchAll(/(\w+)\s*(?:=~|!=|=|!~)/g)].flatMap(([, label = ""]) =>
      own.includes(label) ? [] : [`${series} ${label}`],
    );
  });
  const grouped = [...expression.matchAll(/\b(?:by|on|without|ignoring)\s*\(([^)]*)\)/g)].flatMap(([, labels = ""]) =>
    labels.split(/,\s*/),
  );
  return [...unknown, ...grouped.filter((label) => !possible.has(label))];
}

test("every metric and label of the dashboard exists", () => {
  type Panel = { title: string; targets?: { expr: string }[] };
  const { panels, templating } = JSON.parse(read("dashboard.json")) as {
    panels: Panel[];
    templating: { list: { definition?: string }[] };
  };
  const expressions = [
    ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ...templating.list.flatMap(({ definition }) => definition ?? []),
  ];
  expect(expressions.length).toBeGreaterThan(30);
  expect(expressions.flatMap(unknownNames)).toEqual([]);
});

test("every metric and label of the alert rules exists", () => {
  type Rule = { alert: string; expr: string; annotations: { description: string } };
  const { groups } = parse(read("alerts.yaml")) as { groups: { rules: Rule[] }[] };
  const rules = groups.flatMap((group) => group.rules);
  expect(rules.flatMap(({ expr }) => unknownNames(expr))).toEqual([]);
  const shown = rules.flatMap(({ expr, annotations }) =>
    [...annotations.description.matchAll(/\$labels\.(\w+)/g)].map(([, label = ""]) => [label, expr] as const),
  );
  const isKept = ([label, expr]: readonly [string, string]) => {
    const kept = /\b(?:by|on) \(([^)]*)\)/.exec(expr)?.[1]?.split(", ");
    return !/^(sum|max|histogram_quantile)\b/.test(expr) || kept?.includes(label);
  };
  expect(shown.filter((one) => !isKept(one))).toEqual([]);
});

test("the page about monitoring has each metric of the server with its labels", () => {
  const rows = (readPages().get("operate/monitoring.md") ?? "").split("\n").filter((line) => line.startsWith("| `gatehouse_"));
  const listed = rows.map((row) => {
    const [name = "", labels = ""] = row.split("|").slice(1, 3);
    return [name, labels].map((cell) => cell.replaceAll("`", "").trim());
  });
  const own = [...described].filter(([name]) => name.startsWith("gatehouse_"));
  expect(listed.sort()).toEqual(own.map(([name, { labels }]) => [name, labels.join(", ")]).sort());
});

test("finds series and labels that do not exist", () => {
  const expression = 'sum by (color, le) (rate(gatehouse_load_duration_seconds_bucket{queue="a"}[5m])) / gatehouse_load_duration_seconds';
  expect(unknownNames(expression)).toEqual(["gatehouse_load_duration_seconds_bucket queue", "gatehouse_load_duration_seconds", "color"]);
});
