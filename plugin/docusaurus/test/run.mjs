// Bundles the TypeScript tests and hands them to node's test runner. Tests of the whole plugin load lib/.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import * as esbuild from "esbuild";

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
  outExtension: { ".js": ".cjs" },
  bundle: true,
  platform: "node",
  format: "cjs",
  packages: "external",
  sourcemap: "inline",
});
const files = chosen.map((name) => join(outdir, name.replace(/\.ts$/, ".cjs")));
const { status } = spawnSync(process.execPath, ["--enable-source-maps", "--test", ...files], {
  stdio: "inherit",
});
process.exitCode = status ?? 1;
