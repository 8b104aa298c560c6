import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const backend = process.env.WORKBENCH_BACKEND ?? "http://127.0.0.1:8000";

export default defineConfig({
  base: "/static/",
  plugins: [react()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  build: {
    outDir: "../workbench/pages",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: "base",
              test: /node_modules[\\/](react|react-dom|scheduler|@tanstack|i18next|react-i18next|zustand|partysocket|openapi-fetch)[\\/]/,
            },
            {
              name: "ui",
              test: /node_modules[\\/](@mantine|@floating-ui|@tabler|react-remove-scroll|react-number-format|clsx)/,
            },
            { name: "shared", test: /src[\\/]shared[\\/]/, minShareCount: 3 },
          ],
        },
      },
    },
  },
  server: { proxy: { "/api": backend, "/ws": { target: backend, ws: true } } },
  test: { environment: "node", include: ["src/**/*.test.{ts,tsx}"] },
});
