/** The pages in the order of the sidebar. A page that is missing here fails the build. */
export const navigation = [
  {
    text: "Start",
    items: [
      { text: "Quick start", link: "/start/quick-start" },
      { text: "Concepts", link: "/start/concepts" },
      { text: "Release a feature", link: "/start/release-a-feature" },
      { text: "Run an experiment", link: "/start/run-an-experiment" },
      { text: "Glossary", link: "/start/glossary" },
    ],
  },
  {
    text: "Use",
    items: [
      { text: "Targeting", link: "/use/targeting" },
      { text: "Rollouts", link: "/use/rollouts" },
      { text: "Configs and param stores", link: "/use/configs" },
      { text: "Segments", link: "/use/segments" },
      { text: "Layers and holdouts", link: "/use/layers-and-holdouts" },
      { text: "Experiments", link: "/use/experiments" },
      { text: "Results", link: "/use/results" },
      { text: "Metrics", link: "/use/metrics" },
      { text: "Autotunes", link: "/use/autotunes" },
      { text: "Alerts", link: "/use/alerts" },
      { text: "Audit log and versions", link: "/use/audit-log" },
    ],
  },
  {
    text: "Connect",
    items: [
      { text: "SDKs", link: "/connect/sdks" },
      { text: "Management client", link: "/connect/client" },
    ],
  },
  {
    text: "Operate",
    items: [
      { text: "Install", link: "/operate/install" },
      { text: "Settings", link: "/operate/settings" },
      { text: "Postgres", link: "/operate/postgres" },
      { text: "Reverse proxies", link: "/operate/proxies" },
      { text: "People and keys", link: "/operate/people-and-keys" },
      { text: "Single sign-on", link: "/operate/single-sign-on" },
      { text: "Provisioning (SCIM)", link: "/operate/provisioning" },
      { text: "Backup and restore", link: "/operate/backup" },
      { text: "Upgrade", link: "/operate/upgrade" },
      { text: "Monitoring", link: "/operate/monitoring" },
      { text: "Audit log", link: "/operate/audit-log" },
      { text: "Privacy", link: "/operate/privacy" },
      { text: "ClickHouse", link: "/operate/clickhouse" },
      { text: "Warehouses", link: "/operate/warehouses" },
      { text: "Troubleshooting", link: "/operate/troubleshooting" },
    ],
  },
  {
    text: "Reference",
    items: [
      { text: "Guarantees", link: "/reference/guarantees" },
      { text: "Permissions", link: "/reference/permissions" },
      { text: "Statistics", link: "/reference/statistics" },
      { text: "Console API", link: "/api/console", target: "_self" },
      { text: "Evaluation API", link: "/api/evaluation", target: "_self" },
      { text: "SCIM API", link: "/api/scim", target: "_self" },
    ],
  },
];
