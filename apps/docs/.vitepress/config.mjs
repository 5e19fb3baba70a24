import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { permissions } from "@gatehouse/contract/console";
import consoleDocument from "@gatehouse/contract/console.json" with { type: "json" };
import { defineConfig } from "vitepress";
import { decisionList } from "../decisions.mjs";
import { permissionTable } from "../permissions.mjs";
import { navigation } from "./navigation.mjs";

const { version } = JSON.parse(readFileSync(new URL("../../server/package.json", import.meta.url), "utf8"));

const pages = readdirSync(new URL("../../../docs/", import.meta.url), { recursive: true })
  .filter((file) => file.endsWith(".md") && file !== "index.md")
  .map((file) => `/${file.replaceAll("\\", "/").replace(/(index)?\.md$/, "")}`);
const linked = navigation.flatMap(({ items }) => items.map(({ link }) => link));
// The page of decisions lists all of them.
const missing = pages.filter((page) => !linked.includes(page) && !/^\/decisions\/\d/.test(page));
if (missing.length > 0) throw new Error(`navigation.mjs has no link to ${missing.join(", ")}.`);

/** The pages of the APIs are rendered by another tool, so the browser loads them as a whole. */
const API_PAGE = /^\/docs\/api\//;

export default defineConfig({
  srcDir: "../../docs",
  outDir: "dist",
  base: "/docs/",
  cleanUrls: true,
  lang: "en-US",
  title: "Gatehouse",
  description: "Self-hosted feature flags and experiments",
  ignoreDeadLinks: [/^\/api\//],
  // Pages say with which version they were checked, not when they were changed.
  lastUpdated: false,
  head: [["link", { rel: "icon", href: "/docs/icon.svg", type: "image/svg+xml" }]],
  markdown: {
    config(md) {
      md.core.ruler.before("normalize", "generated", (state) => {
        state.src = state.src
          .replace("<!-- permissions -->", () => permissionTable(consoleDocument, permissions))
          .replace("<!-- decisions -->", decisionList);
      });
      const render = md.renderer.rules.link_open;
      md.renderer.rules.link_open = (tokens, index, ...rest) => {
        const html = render(tokens, index, ...rest);
        return API_PAGE.test(tokens[index].attrGet("href") ?? "") ? html.replace("<a ", '<a target="_self" ') : html;
      };
    },
  },
  themeConfig: {
    logo: "/icon.svg",
    search: { provider: "local" },
    nav: [
      { text: "Guide", link: "/start/quick-start", activeMatch: "^/(start|use)/" },
      { text: "Connect", link: "/connect/sdks", activeMatch: "^/connect/" },
      { text: "Operate", link: "/operate/install", activeMatch: "^/operate/" },
      { text: "API", link: "/api/console", target: "_self" },
    ],
    sidebar: navigation,
    outline: [2, 3],
    externalLinkIcon: true,
    footer: { message: `Checked with Gatehouse ${version}`, copyright: "Apache-2.0" },
  },
  vite: {
    logLevel: "warn",
    // The pages are outside this package, which has Vue.
    resolve: { alias: [{ find: /^vue(?=$|\/)/, replacement: dirname(fileURLToPath(import.meta.resolve("vue/package.json"))) }] },
  },
});
