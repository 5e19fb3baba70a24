/** The values that users and conditions share, so that conditions often match. */

export const USER_IDS = ["ann", "Bob", "carol", "dave@x", "Ève", "user 7", "ユーザー", "grace", "heidi-1", "IVAN"];
export const COMPANY_IDS = ["c-1", "c-2", "C-3", "société"];
export const EMAILS = ["ann@example.com", "BOB@Example.com", "carol@mail.test", "dave@sub.example.com", "ève@example.fr"];
export const COUNTRIES = ["DE", "FR", "US", "br"];
export const LOCALES = ["de_DE", "en-US", "fr"];
export const VERSIONS = ["1.2.3", "1.2", "1.10.0", "2.0.0-beta", "2", "10.0.1", "1.2.3.4"];
export const IPS = ["8.8.8.8", "1.1.1.1", "192.0.2.7", "193.99.144.80", "not an address"];
/** Ranges that have these addresses, and no others of the list. */
export const RANGES: ReadonlyMap<string, string> = new Map([
  ["1.1.1.1", "1.1.0.0/20"],
  ["192.0.2.7", "192.0.2.0/29"],
]);
export const PLANS = ["free", "Pro", "ENTERPRISE", "trial"];
export const ROLES = ["admin", "editor", "Viewer", "guest"];
export const NUMBERS = [0, 1, 17, 17.5, 42, 100, -3, 1e12];
export const TIERS = ["development", "staging", "production"];
/** Times before and after any test run, ms. */
export const MOMENTS = [1_577_836_800_000, 1_609_459_200_000, 1_704_067_200_000, 4_102_444_800_000];

/** Times in forms that SDKs read differently: with milliseconds, an offset or a day only, in seconds, and invalid ones. */
export const ODD_TIMES = [
  "2021-01-01T00:00:00.000Z",
  "2021-01-01T01:00:00+01:00",
  "2021-01-01",
  "2021-01-01 00:00:00",
  "2021-1-1 0:00:00",
  "Fri, 01 Jan 2021 00:00:00 GMT",
  "1609459200",
  "1609459200000",
  1_609_459_200,
  1_609_459_200_000.5,
  "",
  true,
  null,
  [1_609_459_200_000],
];

/** User agents that both generations of SDKs parse to the same names and versions. */
export const USER_AGENTS = [
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:142.0) Gecko/20100101 Firefox/142.0",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
];
export const BROWSERS = ["Chrome", "firefox", "Safari", "Edge", "Chrome Mobile", "Mobile Safari"];
export const SYSTEMS = ["Windows", "Android", "iOS", "Mac OS X"];
