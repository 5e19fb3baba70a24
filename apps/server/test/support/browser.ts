import { existsSync } from "node:fs";

const USUAL_PLACES = [
  // A fifth less CPU time for a test than the whole browser without its window.
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** The path of a Chromium: GATEHOUSE_CHROMIUM, or a usual location. */
export function findChromium(): string | undefined {
  return process.env.GATEHOUSE_CHROMIUM || USUAL_PLACES.find((place) => existsSync(place));
}
