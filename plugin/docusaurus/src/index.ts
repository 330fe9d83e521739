/** The plugin: only the hooks of Docusaurus. Each passes values of the host to functions that do not depend on it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import logger from "@docusaurus/logger";
import type { LoadContext, OptionValidationContext, Plugin } from "@docusaurus/types";
import { localeOf } from "./locale";
import { readOptions, type GivenOptions, type TruerefOptions } from "./options";
import { pagesOf } from "./pages";
import { runState } from "./state";
import { ASSETS, STATIC, widgetTags, writeAssets } from "./widget";
import { addPages } from "./work";

export type { GivenOptions as PluginOptions, TruerefOptions, WidgetOptions } from "./options";

type WebpackOptions = ReturnType<NonNullable<Plugin["configureWebpack"]>>;

const NAME = "docusaurus-plugin-trueref";

/** Indexes the finished site and puts the widget on its pages. */
export default function truerefPlugin(context: LoadContext, options: TruerefOptions): Plugin | null {
  const { siteConfig, siteDir, generatedFilesDir } = context;
  if (siteConfig.future.experimental_router === "hash") {
    logger.warn(
      "trueref: a site with the hash router has one page and no HTML to read. The plugin does nothing.",
    );
    return null;
  }
  const locale = localeOf(context);
  const server = options.serverUrl;
  return {
    name: NAME,
    // Not earlier: `docusaurus docs:version` and other commands load the plugin too, but neither build nor show a page.
    loadContent: () => {
      logNotesOnce(siteConfig.noIndex, server);
    },
    getClientModules: () => [join(__dirname, "client", "router.js")],
    injectHtmlTags: () =>
      // The preview of `docusaurus start` has no files to search in.
      server || !isPreview() ? { postBodyTags: widgetTags(server ?? "", locale, options) } : {},
    configureWebpack: (_, isServer) => (isServer ? {} : previewOptions(locale.base, server)),
    async postBuild({ routes, routesBuildMetadata }) {
      await writeAssets(locale.root);
      const exists = (file: string): boolean => existsSync(join(locale.root, file));
      const pages = pagesOf({
        locale,
        routes,
        metadata: routesBuildMetadata,
        version: options.version,
        exists,
      });
      const { root, address, own } = locale;
      const sidecar = join(generatedFilesDir, NAME, own ? `pages-${own}.json` : "pages.json");
      addPages({ siteDir, root, address, own, pages: sidecar, title: siteConfig.title, options }, pages);
    },
  };
}

/** Reads the options; Docusaurus calls it before the plugin. */
export function validateOptions({
  options,
}: OptionValidationContext<GivenOptions, TruerefOptions>): TruerefOptions {
  return readOptions(options);
}

/**
 * `docusaurus start` serves the widget's files from this package, and asks a local server if the address is a path.
 * Its server is an option of webpack that the types of webpack do not have.
 */
function previewOptions(base: string, server: string | null): WebpackOptions {
  const files = { directory: STATIC, publicPath: `${base}${ASSETS}`, watch: false };
  const proxy = server?.startsWith("/") ? [{ context: [server], target: localServer() }] : [];
  return { devServer: { static: [files], proxy } } as WebpackOptions;
}

/** Where `trueref serve` answers on this machine. */
function localServer(): string {
  return `http://127.0.0.1:${process.env["TRUEREF_PORT"] ?? "8000"}`;
}

/** Logs once, and not for every locale, what answers the widget's questions, and what keeps it from answering. */
function logNotesOnce(noIndex: boolean, server: string | null): void {
  const state = runState();
  if (state.areNotesLogged) return;
  state.areNotesLogged = true;
  if (noIndex) {
    logger.warn("trueref: noIndex is set for the whole site, so that no page is searched or cited.");
  }
  if (!server && isPreview()) {
    logger.info(
      'trueref: no serverUrl is set, so these pages have no widget. With serverUrl: "/_trueref" they ask `trueref serve`.',
    );
  } else if (!server) {
    logger.info("trueref: no serverUrl is set: the widget searches in files beside the pages.");
  } else if (isPreview() && server.startsWith("/")) {
    logger.info(`trueref: questions go to ${localServer()}. Start it with: trueref serve`);
  }
}

function isPreview(): boolean {
  return process.env["NODE_ENV"] === "development";
}
