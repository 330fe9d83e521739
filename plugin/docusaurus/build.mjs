// Compiles src/ into lib/, and puts the widget's built files beside it, so that a site can be built without Python.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";

const here = fileURLToPath(new URL(".", import.meta.url));
const widget = join(here, "..", "..", "widget", "trueref_widget", "static");
const lib = join(here, "lib");
const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");

rmSync(lib, { recursive: true, force: true });
for (const project of [".", "src/client"]) {
  const { status } = spawnSync(process.execPath, [tsc, "-p", project], { cwd: here, stdio: "inherit" });
  if (status !== 0) process.exit(1);
}
mkdirSync(join(lib, "widget"), { recursive: true });
for (const name of readdirSync(widget)) {
  const bytes = readFileSync(join(widget, name));
  const isCompressed = name.endsWith(".gz");
  writeFileSync(join(lib, "widget", name.replace(/\.gz$/, "")), isCompressed ? gunzipSync(bytes) : bytes);
}
