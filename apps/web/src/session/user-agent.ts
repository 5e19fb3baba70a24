// Programs name themselves in long texts. People recognise theirs by a browser and a system. Pure.

/** In this order, since most browsers also claim to be others. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdgA?\/(\d+)/, "Edge"],
  [/\bOPR\/(\d+)/, "Opera"],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, "Firefox"],
  [/\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\/(\d+)/, "Chrome"],
  [/\bVersion\/(\d+)[.\d]* .*Safari\//, "Safari"],
];

const SYSTEMS: readonly [RegExp, string][] = [
  [/\b(?:iPhone|iPad|iPod)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b|\bX11\b/, "Linux"],
];

/** The browser and the system of a `User-Agent`: “Firefox 140 on Linux”. Other programs keep their own names. */
export function parseUserAgent(userAgent: string | null): string {
  if (userAgent === null || userAgent === "") return "Unnamed program";
  for (const [pattern, name] of BROWSERS) {
    const version = pattern.exec(userAgent)?.[1];
    if (version === undefined) continue;
    const system = SYSTEMS.find(([one]) => one.test(userAgent))?.[1];
    return system === undefined ? `${name} ${version}` : `${name} ${version} on ${system}`;
  }
  return userAgent;
}
