/** The plugin: hooks of Docusaurus only. Each one hands values of the host to functions that know no host. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import logger from "@docusaurus/logger";
import type { LoadContext, OptionValidationContext, Plugin } from "@docusaurus/types";
import { readOptions, type GivenOptions, type TruerefOptions } from "./options";
import { pagesOf } from "./pages";
import { placeOf } from "./place";
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
  const place = placeOf(context);
  const server = options.serverUrl;
  return {
    name: NAME,
    // Not before: `docusaurus docs:version` and other commands make the plugin, and neither build nor show a page.
    loadContent: () => {
      tellOnce(siteConfig.noIndex, server);
    },
    getClientModules: () => [join(__dirname, "client", "router.js")],
    injectHtmlTags: () =>
      // The preview of `docusaurus start` has no files to search in.
      server || !isPreview() ? { postBodyTags: widgetTags(server ?? "", place, options) } : {},
    configureWebpack: (_, isServer) => (isServer ? {} : previewOptions(place.base, server)),
    async postBuild({ routes, routesBuildMetadata }) {
      await writeAssets(place.root);
      const exists = (file: string): boolean => existsSync(join(place.root, file));
      const pages = pagesOf({
        place,
        routes,
        metadata: routesBuildMetadata,
        version: options.version,
        exists,
      });
      const { root, address, own } = place;
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

/** Says once, and not for every locale, who answers the widget, and what keeps it from answering. */
function tellOnce(noIndex: boolean, server: string | null): void {
  const state = runState();
  if (state.hasTold) return;
  state.hasTold = true;
  if (noIndex) {
    logger.warn("trueref: noIndex is set for the whole site, so that no page is searched or cited.");
  }
  if (!server && isPreview()) {
    logger.info(
      'trueref: no serverUrl is set, so these pages have no widget. With serverUrl: "/_trueref" they ask `trueref serve`.',
    );
  } else if (!server) {
    logger.info("trueref: no serverUrl is set: the widget searches by words, in files beside the pages.");
  } else if (isPreview() && server.startsWith("/")) {
    logger.info(`trueref: questions go to ${localServer()}. Start it with: trueref serve`);
  }
}

function isPreview(): boolean {
  return process.env["NODE_ENV"] === "development";
}
