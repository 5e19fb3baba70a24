import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { faults } from "../../test/support/config-faults.ts";
import { readConfig } from "./config.ts";

describe("readConfig", () => {
  test("nothing needs to be set", () => {
    expect(readConfig({})).toEqual({
      port: 4000,
      host: "127.0.0.1",
      databaseUrl: undefined,
      databasePooler: "auto",
      databaseDirectUrl: undefined,
      databaseReadUrl: undefined,
      databasePoolSize: 16,
      changePollMs: undefined,
      dataDir: resolve(".gatehouse"),
      consoleKey: undefined,
      ...{ logLevel: "info", logFormat: "auto" },
      previousAuditKeys: [],
      corsOrigins: [],
      eventRetentionDays: 90,
      eventUserFields: true,
      trustedProxies: [],
      publicUrl: undefined,
      maxStreams: 5_000,
      maxStreamsPerKey: 2_500,
      writeLimit: 5_000,
      evaluationLimit: "off",
      ...{ eventLimit: "off", cdnMaxAge: "off", stopDelayMs: 0 },
      securityContacts: [],
      consoleAddresses: [],
      passwordSignIn: true,
      requiresSecondFactor: false,
      sessionIdleHours: 12,
      sessionDays: 14,
      warehouseHosts: [],
      ...{ webhookHosts: [], modelHosts: [] },
    });
  });

  test("an empty setting counts as not set", () => {
    const empty = { PORT: "", HOST: "", DATABASE_URL: "", GATEHOUSE_DATA_DIR: "", GATEHOUSE_CONSOLE_KEY: "", LOG_LEVEL: "" };
    const pooler = { DATABASE_POOLER: "", DATABASE_DIRECT_URL: "", DATABASE_READ_URL: "", GATEHOUSE_CHANGE_POLL_MS: "" };
    const more = { GATEHOUSE_TRUSTED_PROXIES: "", GATEHOUSE_PUBLIC_URL: "", GATEHOUSE_MAX_STREAMS: "", GATEHOUSE_MAX_STREAMS_PER_KEY: "" };
    const limit = { GATEHOUSE_WRITE_LIMIT: "", GATEHOUSE_AUDIT_KEY: "", GATEHOUSE_AUDIT_RETENTION_DAYS: "" };
    expect(readConfig({ ...empty, ...more, ...pooler, ...limit, GATEHOUSE_CORS_ORIGINS: "", GATEHOUSE_EVENT_RETENTION_DAYS: "" })).toEqual(
      readConfig({}),
    );
  });

  test("every setting is read", () => {
    expect(
      readConfig({
        PORT: "0",
        HOST: "::1",
        DATABASE_URL: "postgres://me:secret@db.example.com:5432/gatehouse?sslmode=require",
        DATABASE_POOLER: "transaction",
        DATABASE_DIRECT_URL: "postgresql://me:secret@direct.example.com/gatehouse",
        DATABASE_READ_URL: "postgresql://me:secret@standby.example.com/gatehouse",
        DATABASE_POOL_SIZE: "8",
        GATEHOUSE_CHANGE_POLL_MS: "50",
        GATEHOUSE_DATA_DIR: "/var/lib/gatehouse",
        GATEHOUSE_CONSOLE_KEY: "console-0123456789abcdef",
        ...{ LOG_LEVEL: "silent", LOG_FORMAT: "text" },
        GATEHOUSE_CORS_ORIGINS: "https://example.com, http://localhost:3000",
        GATEHOUSE_EVENTS_URL: "clickhouse://me:secret@events.example.com:8443/gatehouse?secure=true",
        GATEHOUSE_EVENT_RETENTION_DAYS: "3650",
        GATEHOUSE_EVENT_USER_FIELDS: "off",
        GATEHOUSE_TRUSTED_PROXIES: "10.0.0.7, 172.16.0.0/12,2001:db8::/32, loopback",
        GATEHOUSE_PUBLIC_URL: "https://Flags.example.com:8443/",
        GATEHOUSE_MAX_STREAMS: "100",
        GATEHOUSE_MAX_STREAMS_PER_KEY: "10",
        GATEHOUSE_WRITE_LIMIT: "100",
        GATEHOUSE_EVALUATION_LIMIT: "200",
        ...{ GATEHOUSE_EVENT_LIMIT: "300", GATEHOUSE_CDN_MAX_AGE: "10", GATEHOUSE_STOP_DELAY: "5" },
        GATEHOUSE_SECURITY_CONTACT: "mailto:security@example.com, https://example.com/report",
        GATEHOUSE_SECURITY_POLICY: "https://example.com/policy",
        GATEHOUSE_CONSOLE_ADDRESSES: "10.0.0.0/8, ::ffff:192.0.2.7,2001:DB8::/32, 192.0.2.7",
        GATEHOUSE_ADMIN_EMAIL: "ada@example.com",
        GATEHOUSE_ADMIN_PASSWORD: "correct horse",
        GATEHOUSE_PASSWORD_SIGN_IN: "off",
        GATEHOUSE_SECOND_FACTOR: "required",
        GATEHOUSE_SESSION_IDLE_HOURS: "1",
        GATEHOUSE_SESSION_DAYS: "365",
        GATEHOUSE_OIDC_ISSUER: "https://login.example.com/realms/staff",
        GATEHOUSE_OIDC_CLIENT_ID: "gatehouse",
        GATEHOUSE_OIDC_CLIENT_SECRET: "hidden",
        GATEHOUSE_OIDC_ALLOWED_DOMAINS: "Example.com, example.org",
        GATEHOUSE_OIDC_ROLE_CLAIM: "groups",
        GATEHOUSE_OIDC_ROLES: "flags-leads=Admin, developers = Member,it=administrator",
        GATEHOUSE_AUDIT_KEY: "0123456789abcdef0123456789abcdef",
        GATEHOUSE_PREVIOUS_AUDIT_KEYS: "b0123456789abcdef0123456789abcdef, a0123456789abcdef0123456789abcdef",
        GATEHOUSE_AUDIT_RETENTION_DAYS: "365",
        GATEHOUSE_WAREHOUSE_HOSTS: "Warehouse.example.com, 10.0.0.7:5432,[::1]:8123",
        ...{ GATEHOUSE_WEBHOOK_HOSTS: "hooks.internal", GATEHOUSE_MODEL_HOSTS: "api.openai.com,10.0.0.8:8000" },
        GATEHOUSE_SECRET_KEY: "fedcba9876543210fedcba9876543210",
        GATEHOUSE_PREVIOUS_SECRET_KEY: "0011223344556677001122334455667788",
      }),
    ).toEqual({
      auditKey: "0123456789abcdef0123456789abcdef",
      previousAuditKeys: ["b0123456789abcdef0123456789abcdef", "a0123456789abcdef0123456789abcdef"],
      auditRetentionDays: 365,
      warehouseHosts: ["warehouse.example.com", "10.0.0.7:5432", "[::1]:8123"],
      ...{ webhookHosts: ["hooks.internal"], modelHosts: ["api.openai.com", "10.0.0.8:8000"] },
      secretKey: "fedcba9876543210fedcba9876543210",
      previousSecretKey: "0011223344556677001122334455667788",
      port: 0,
      host: "::1",
      databaseUrl: "postgres://me:secret@db.example.com:5432/gatehouse?sslmode=require",
      databasePooler: "transaction",
      databaseDirectUrl: "postgresql://me:secret@direct.example.com/gatehouse",
      databaseReadUrl: "postgresql://me:secret@standby.example.com/gatehouse",
      databasePoolSize: 8,
      changePollMs: 50,
      dataDir: "/var/lib/gatehouse",
      consoleKey: "console-0123456789abcdef",
      ...{ logLevel: "silent", logFormat: "text" },
      corsOrigins: ["https://example.com", "http://localhost:3000"],
      eventsUrl: "clickhouse://me:secret@events.example.com:8443/gatehouse?secure=true",
      eventRetentionDays: 3650,
      eventUserFields: false,
      trustedProxies: ["10.0.0.7", "172.16.0.0/12", "2001:db8::/32", "loopback"],
      publicUrl: "https://flags.example.com:8443",
      maxStreams: 100,
      maxStreamsPerKey: 10,
      writeLimit: 100,
      evaluationLimit: 200,
      ...{ eventLimit: 300, cdnMaxAge: 10, stopDelayMs: 5_000 },
      securityContacts: ["mailto:security@example.com", "https://example.com/report"],
      securityPolicy: "https://example.com/policy",
      consoleAddresses: ["10.0.0.0/8", "192.0.2.7", "2001:db8::/32"],
      adminEmail: "ada@example.com",
      adminPassword: "correct horse",
      passwordSignIn: false,
      requiresSecondFactor: true,
      sessionIdleHours: 1,
      sessionDays: 365,
      oidc: {
        issuer: "https://login.example.com/realms/staff",
        clientID: "gatehouse",
        clientSecret: "hidden",
        scopes: ["openid", "email", "profile"],
        allowedDomains: ["example.com", "example.org"],
        trustsEmails: false,
        roleClaim: "groups",
        roles: [
          ["flags-leads", "Admin"],
          ["developers", "Member"],
          ["it", "administrator"],
        ],
      },
    });
  });

  test.each([
    ["10.1.2.3/8", "must be 10.0.0.0/8, or 10.1.2.3 alone: 10.1.2.3/8 has bits after its prefix that are not zero"],
    ["office", "must be an IPv4 or IPv6 address, or a range such as 10.0.0.0/8"],
    ["", "must be an IPv4 or IPv6 address, or a range such as 10.0.0.0/8"],
  ])("%j is refused as an address for the console, and only the first invalid value is named", (text, error) => {
    expect(
      faults({ GATEHOUSE_CONSOLE_ADDRESSES: `192.0.2.7,${text},10.1.2.3/9`, GATEHOUSE_PUBLIC_URL: "https://flags.example.com" }),
    ).toEqual([`GATEHOUSE_CONSOLE_ADDRESSES must be addresses or ranges, separated by commas: "${text}" ${error}`]);
  });

  test("settings that need each other are reported", () => {
    expect(faults({ GATEHOUSE_ADMIN_EMAIL: "ada@example.com" })).toEqual([
      "GATEHOUSE_ADMIN_EMAIL and GATEHOUSE_ADMIN_PASSWORD need each other",
    ]);
    expect(faults({ GATEHOUSE_CONSOLE_ADDRESSES: "10.0.0.0/8" })).toEqual(["GATEHOUSE_CONSOLE_ADDRESSES needs GATEHOUSE_PUBLIC_URL"]);
    expect(faults({ GATEHOUSE_OIDC_CLIENT_ID: "gatehouse" })).toEqual(["GATEHOUSE_OIDC_CLIENT_ID needs GATEHOUSE_OIDC_ISSUER"]);
    expect(faults({ GATEHOUSE_PASSWORD_SIGN_IN: "off" })).toEqual([
      "GATEHOUSE_PASSWORD_SIGN_IN can be off only with GATEHOUSE_OIDC_ISSUER",
    ]);
    const needsSetup =
      "GATEHOUSE_SECOND_FACTOR=required needs GATEHOUSE_SECRET_KEY, or an https URL with a host name in GATEHOUSE_PUBLIC_URL";
    const required = { GATEHOUSE_SECOND_FACTOR: "required" };
    expect(faults(required)).toEqual([needsSetup]);
    expect(faults({ ...required, GATEHOUSE_PUBLIC_URL: "https://192.0.2.1" })).toEqual([needsSetup]);
    expect(faults({ ...required, GATEHOUSE_PUBLIC_URL: "https://flags.example.com" })).toEqual([]);
    expect(faults({ ...required, GATEHOUSE_SECRET_KEY: "0123456789abcdef0123456789abcdef" })).toEqual([]);
    const provider = { GATEHOUSE_OIDC_ISSUER: "http://localhost:9000", GATEHOUSE_OIDC_CLIENT_ID: "gatehouse" };
    expect(faults(provider)).toEqual([
      "GATEHOUSE_OIDC_ISSUER needs GATEHOUSE_OIDC_CLIENT_ID, GATEHOUSE_OIDC_CLIENT_SECRET, and GATEHOUSE_OIDC_ALLOWED_DOMAINS",
    ]);
    const whole = { ...provider, GATEHOUSE_OIDC_CLIENT_SECRET: "hidden", GATEHOUSE_OIDC_ALLOWED_DOMAINS: "example.com" };
    expect(faults({ ...whole, GATEHOUSE_OIDC_ROLES: "leads=Admin" })).toEqual([
      "GATEHOUSE_OIDC_ROLE_CLAIM and GATEHOUSE_OIDC_ROLES need each other",
      "GATEHOUSE_OIDC_ISSUER needs GATEHOUSE_PUBLIC_URL",
    ]);
  });

  test("writes have no limit if it is off", () => {
    expect(readConfig({ GATEHOUSE_WRITE_LIMIT: "off" }).writeLimit).toBe("off");
  });

  test("a relative folder is relative to the directory of the command; memory is not a folder", () => {
    expect(readConfig({ INIT_CWD: "/home/me", GATEHOUSE_DATA_DIR: "data" }).dataDir).toBe("/home/me/data");
    expect(readConfig({ INIT_CWD: "/home/me" }).dataDir).toBe("/home/me/.gatehouse");
    expect(readConfig({ INIT_CWD: "/home/me", GATEHOUSE_DATA_DIR: "memory" }).dataDir).toBe("memory");
  });

  test("all faults are reported together, without secrets", () => {
    const env = {
      PORT: "65536",
      DATABASE_URL: "mysql://me:secret@localhost/x",
      DATABASE_POOL_SIZE: "2",
      GATEHOUSE_CONSOLE_KEY: "console-secret",
      ...{ LOG_LEVEL: "loud", LOG_FORMAT: "pretty" },
      GATEHOUSE_CORS_ORIGINS: "https://example.com,example.org",
      GATEHOUSE_EVENT_RETENTION_DAYS: "0",
      GATEHOUSE_TRUSTED_PROXIES: "10.0.0.0/8,proxy.example.com",
      GATEHOUSE_PUBLIC_URL: "flags.example.com",
      GATEHOUSE_MAX_STREAMS: "0",
      GATEHOUSE_MAX_STREAMS_PER_KEY: "many",
      GATEHOUSE_WRITE_LIMIT: "0",
      GATEHOUSE_EVALUATION_LIMIT: "none",
      ...{ GATEHOUSE_EVENT_LIMIT: "1000001", GATEHOUSE_CDN_MAX_AGE: "3601", GATEHOUSE_STOP_DELAY: "5s" },
      GATEHOUSE_SECURITY_CONTACT: "security@example.com",
      GATEHOUSE_SECURITY_POLICY: "https://example.com/a\nContact: mailto:m@example.org",
      GATEHOUSE_ADMIN_EMAIL: "ada",
      GATEHOUSE_ADMIN_PASSWORD: "short",
      GATEHOUSE_OIDC_ISSUER: "http://login.example.com",
      GATEHOUSE_OIDC_ALLOWED_DOMAINS: "example",
      GATEHOUSE_OIDC_ROLES: "leads",
      GATEHOUSE_PASSWORD_SIGN_IN: "no",
      GATEHOUSE_SECOND_FACTOR: "on",
      GATEHOUSE_SESSION_IDLE_HOURS: "0",
      GATEHOUSE_SESSION_DAYS: "366",
      GATEHOUSE_AUDIT_KEY: "0123456789abcdef0123456789abcde",
      GATEHOUSE_AUDIT_RETENTION_DAYS: "0",
    };
    expect(faults(env)).toEqual([
      "PORT must be a whole number from 0 to 65535",
      "DATABASE_URL must be a URL that starts with postgres:// or postgresql://",
      "DATABASE_POOL_SIZE must be a whole number from 3 to 500",
      "GATEHOUSE_CONSOLE_KEY must be console- and at least 16 letters, digits, hyphens, or underscores",
      "LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent",
      "LOG_FORMAT must be one of auto, json, text",
      "GATEHOUSE_CORS_ORIGINS must be origins such as https://example.com, separated by commas",
      "GATEHOUSE_EVENT_RETENTION_DAYS must be a whole number of days from 1 to 3650",
      "GATEHOUSE_TRUSTED_PROXIES must be addresses, ranges such as 10.0.0.0/8, loopback, linklocal, or uniquelocal, separated by commas",
      "GATEHOUSE_PUBLIC_URL must be an http or https URL without a query, such as https://flags.example.com or https://example.com/gatehouse",
      "GATEHOUSE_MAX_STREAMS must be a whole number from 1 to 1000000",
      "GATEHOUSE_MAX_STREAMS_PER_KEY must be a whole number from 1 to 1000000",
      "GATEHOUSE_WRITE_LIMIT must be a whole number from 1 to 1000000, or off",
      "GATEHOUSE_EVALUATION_LIMIT must be a whole number from 1 to 1000000, or off",
      "GATEHOUSE_EVENT_LIMIT must be a whole number from 1 to 1000000, or off",
      "GATEHOUSE_CDN_MAX_AGE must be a whole number of seconds from 1 to 3600, or off",
      "GATEHOUSE_STOP_DELAY must be a whole number of seconds from 0 to 120",
      "GATEHOUSE_SECURITY_CONTACT must be URIs such as mailto:security@example.com or https://example.com/security, separated by commas",
      "GATEHOUSE_SECURITY_POLICY must be an https URL",
      "GATEHOUSE_ADMIN_EMAIL must be an email address",
      "GATEHOUSE_ADMIN_PASSWORD must be 12 to 256 characters long",
      "GATEHOUSE_OIDC_ISSUER must be an https URL (or http on this machine)",
      "GATEHOUSE_OIDC_ALLOWED_DOMAINS must be domains such as example.com, separated by commas",
      'GATEHOUSE_OIDC_ROLES must be pairs such as leads=Admin, separated by commas, or JSON such as [["cn=leads,dc=example","Admin"]]',
      "GATEHOUSE_PASSWORD_SIGN_IN must be on or off",
      "GATEHOUSE_SECOND_FACTOR must be optional or required",
      "GATEHOUSE_SESSION_IDLE_HOURS must be a whole number of hours from 1 to 8760",
      "GATEHOUSE_SESSION_DAYS must be a whole number of days from 1 to 365",
      "GATEHOUSE_AUDIT_KEY must be at least 32 characters",
      "GATEHOUSE_AUDIT_RETENTION_DAYS must be a whole number of days from 1 to 36500",
    ]);
    expect(() => readConfig(env)).toThrow(/^The settings are not valid:\n {2}PORT must be .*\n {2}DATABASE_URL must be /);
  });

  test.each(["-1", "4000.5", "1e3", " 80", "http"])("PORT is not %j", (PORT) => {
    expect(faults({ PORT })).toHaveLength(1);
  });

  test.each(["console-0123456789abcde", "secret-0123456789abcdef", "console-0123456789abcde ", "console-0123456789abcdé!"])(
    "a console key is not %j",
    (GATEHOUSE_CONSOLE_KEY) => {
      expect(faults({ GATEHOUSE_CONSOLE_KEY })).toHaveLength(1);
    },
  );

  test.each([
    ["GATEHOUSE_CORS_ORIGINS", ["https://example.com/", "https://example.com/path", "*", "null", "https://a.example,"]],
    ["GATEHOUSE_TRUSTED_PROXIES", ["10.0.0.0/33", "10.0.0.1,", "10.0.0", "2001:db8::/129", "0.0.0.0/0", "*"]],
  ])("%s rejects each of %j", (name, values) => {
    for (const value of values) expect([value, faults({ [name]: value }).length]).toEqual([value, 1]);
  });
});
