import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { userAgentField } from "../../src/user-agent.ts";
import { asV2, ruleset } from "../support/ruleset.ts";
import { type Sdks, startSdks, toAsked } from "../support/sdks.ts";

const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";
const IOS = "AppleWebKit/605.1.15 (KHTML, like Gecko)";
const WINDOWS = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT}`;
const MAC = `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT}`;

/** Browsers, apps, bots and HTTP clients. */
const AGENTS = [
  `${WINDOWS} Chrome/140.0.0.0 Safari/537.36`,
  `Mozilla/5.0 (Windows NT 6.1; Win64; x64) ${WEBKIT} Chrome/109.0.0.0 Safari/537.36`,
  `Mozilla/5.0 (Windows NT 6.3; Win64; x64) ${WEBKIT} Chrome/109.0.0.0 Safari/537.36`,
  `${MAC} Chrome/123.0.0.0 Safari/537.36`,
  `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/122.0.0.0 Safari/537.36`,
  `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/124.0.0.0 Safari/537.36`,
  `Mozilla/5.0 (Linux; Android 14; Pixel 8) ${WEBKIT} Chrome/126.0.6478.122 Mobile Safari/537.36`,
  `Mozilla/5.0 (Linux; Android 13; SM-G981B; wv) ${WEBKIT} Version/4.0 Chrome/116.0.0.0 Mobile Safari/537.36`,
  `Mozilla/5.0 (iPhone; CPU iPhone OS 16_6 like Mac OS X) ${IOS} CriOS/119.0.6045.109 Mobile/15E148 Safari/604.1`,
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:125.0) Gecko/20100101 Firefox/125.0",
  "Mozilla/5.0 (Windows NT 5.1; rv:52.0) Gecko/20100101 Firefox/52.0",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:124.0) Gecko/20100101 Firefox/124.0",
  "Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:109.0) Gecko/20100101 Firefox/115.0",
  "Mozilla/5.0 (Android 14; Mobile; rv:125.0) Gecko/125.0 Firefox/125.0",
  `Mozilla/5.0 (iPad; CPU OS 15_5 like Mac OS X) ${IOS} FxiOS/101.0 Mobile/15E148 Safari/605.1.15`,
  `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${IOS} Version/17.4 Safari/605.1.15`,
  `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${IOS} Version/17.5 Mobile/15E148 Safari/604.1`,
  `Mozilla/5.0 (iPad; CPU OS 16_7 like Mac OS X) ${IOS} Version/16.6 Mobile/15E148 Safari/604.1`,
  `Mozilla/5.0 (iPhone; CPU iPhone OS 17_4_1 like Mac OS X) ${IOS} Mobile/15E148`,
  `${WINDOWS} Chrome/124.0.0.0 Safari/537.36 Edg/124.0.2478.51`,
  `${WINDOWS} Chrome/64.0.3282.140 Safari/537.36 Edge/18.17763`,
  `Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) ${IOS} Version/17.0 EdgiOS/122.0.2365.99 Mobile/15E148 Safari/604.1`,
  `${WINDOWS} Chrome/122.0.0.0 Safari/537.36 OPR/108.0.0.0`,
  `${WINDOWS} Chrome/122.0.0.0 YaBrowser/24.4.0.0 Safari/537.36`,
  `Mozilla/5.0 (Linux; Android 12; SAMSUNG SM-G991U) ${WEBKIT} SamsungBrowser/20.0 Chrome/106.0.5249.126 Mobile Safari/537.36`,
  `Mozilla/5.0 (Linux; Android 9; KFTRWI) ${WEBKIT} Silk/108.3.2 like Chrome/108.0.5359.160 Safari/537.36`,
  `Mozilla/5.0 (Linux; U; Android 4.4.2; en-us; SCH-I535 Build/KOT49H) AppleWebKit/534.30 (KHTML, like Gecko) Version/4.0 Mobile Safari/534.30`,
  `${MAC} Slack/4.37.101 Chrome/122.0.6261.156 Electron/29.1.6 Safari/537.36`,
  "MyApp/1.2.3 CFNetwork/1474 Darwin/23.0.0",
  "MyApp/4.5.6 (iPhone; iOS 17.2; Scale/3.00)",
  "Dalvik/2.1.0 (Linux; U; Android 13; SM-S901B Build/TP1A.220624.014)",
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
  "Twitterbot/1.0",
  "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
  ...["curl/8.5.0", "Wget/1.21", "okhttp/4.9.0", "axios/1.6.0", "python-requests/2.31.0", "aiohttp/3.9.1", "Go-http-client/1.1"],
  ...[
    "PostmanRuntime/7.36.0",
    "Java/17.0.9",
    "Apache-HttpClient/4.5.13 (Java/11.0.20)",
    "node",
    "undici",
    "Deno/1.42.0",
    "something else",
    "",
  ],
];

/** Browsers that uap-core, whose patterns we use, names more precisely than newer SDKs: the SDKs name the browser that each is derived from. */
const MORE_CLOSELY = [
  [`${WINDOWS} Chrome/122.0.0.0 Safari/537.36 Vivaldi/6.6.3271.57`, "Chrome", "Vivaldi"],
  [
    `Mozilla/5.0 (Linux; Android 10; HD1913) ${WEBKIT} Chrome/123.0.6312.118 Mobile Safari/537.36 EdgA/123.0.2420.64`,
    "Chrome Mobile",
    "Edge Mobile",
  ],
  [
    `Mozilla/5.0 (Linux; Android 14; SM-S928B) ${WEBKIT} Chrome/124.0.0.0 Mobile Safari/537.36 DuckDuckGo/5`,
    "Chrome Mobile",
    "DuckDuckGo Mobile",
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) ${IOS} Mobile/21E219 Instagram 325.0.3.34.90`,
    "Mobile Safari UI/WKWebView",
    "Instagram",
  ],
  ["Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko", "Other", "IE"],
] as const;

const FIELDS = ["os_name", "os_version", "browser_name", "browser_version"];
const read = (userAgent: string) => Object.fromEntries(FIELDS.map((field) => [field, userAgentField(field)(userAgent)]));

let sdks: Sdks;
beforeAll(async () => {
  const v1 = ruleset({ has_updates: true });
  sdks = await startSdks({ v1, v2: asV2(v1) });
});
afterAll(() => sdks.stop());
const readByNewer = (userAgent: string) => sdks.newer.getParsedUserAgentValueForUser(toAsked({ userID: "u", userAgent }).newer);

describe("a user agent, as newer SDKs read it", () => {
  test.each(AGENTS)("%s has the same system and browser, with their versions", (userAgent) => {
    expect(read(userAgent)).toEqual(readByNewer(userAgent));
  });

  test.each(MORE_CLOSELY)("%s is %s to them and %s to us", (userAgent, theirs, ours) => {
    expect(readByNewer(userAgent)?.browser_name).toBe(theirs);
    expect(read(userAgent).browser_name).toBe(ours);
  });
});
