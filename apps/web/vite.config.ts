import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { englishOnly } from "./vite-english-only.ts";
import { precompress } from "./vite-precompress.ts";
import { themeScript } from "./vite-theme-script.ts";

/** Paths that the server answers itself. During development, Vite passes them on to it. */
const SERVED = ["/console", "/v1", "/v2", "/ofrep", "/docs", "/openapi", "/metrics", "/livez", "/readyz"];

export default defineConfig({
  // The server may be below a path, so files name each other relatively.
  base: "./",
  plugins: [react(), englishOnly(), themeScript(), precompress()],
  // The server replaces the placeholder with a nonce of each answer.
  html: { cspNonce: "__CSP_NONCE__" },
  build: {
    target: "es2022",
    // The test of sizes reads it.
    manifest: "manifest.json",
    // The published package contains the licenses of the libraries in the bundle.
    license: true,
    // `data:` URLs are against the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    chunkSizeWarningLimit: 600,
    // The entry names all files, and hashes hardly compress. With this many files, Vite allows none that is shorter.
    rolldownOptions: {
      output: {
        entryFileNames: "assets/[name]-[hash:7].js",
        chunkFileNames: "assets/[name]-[hash:7].js",
        assetFileNames: "assets/[name]-[hash:7][extname]",
      },
    },
  },
  server: {
    proxy: Object.fromEntries(SERVED.map((path) => [path, { target: process.env.GATEHOUSE_URL ?? "http://127.0.0.1:4000" }])),
  },
});
