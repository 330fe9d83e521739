// Bundles the TypeScript tests with the build's own settings and hands them to node's test runner.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import * as esbuild from "esbuild";
import { cssText } from "../build.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
// Inside node_modules: git ignores it, and imports of packages resolve from there.
const outdir = join(here, "..", "node_modules", ".trueref-tests");
const wanted = process.argv.slice(2);
const names = readdirSync(here).filter((name) => name.endsWith(".test.ts"));
const chosen = wanted.length ? names.filter((name) => wanted.some((word) => name.includes(word))) : names;

rmSync(outdir, { recursive: true, force: true });
mkdirSync(outdir, { recursive: true });
await esbuild.build({
  entryPoints: chosen.map((name) => join(here, name)),
  outdir,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  packages: "external",
  sourcemap: "inline",
  plugins: [cssText],
});
const files = chosen.map((name) => join(outdir, name.replace(/\.ts$/, ".mjs")));
const { status } = spawnSync(process.execPath, ["--enable-source-maps", "--test", ...files], {
  cwd: join(here, ".."),
  stdio: "inherit",
});
process.exitCode = status ?? 1;
