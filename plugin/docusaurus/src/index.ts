/** The plugin: hooks of Docusaurus only. Each one hands values of the host to functions that know no host. */
import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import logger from "@docusaurus/logger";
import type { LoadContext, OptionValidationContext, Plugin } from "@docusaurus/types";
import { readOptions, type GivenOptions, type TruerefOptions } from "./options";
import { pagesOf } from "./pages";
import { placeOf } from "./place";
import { ASSETS, STATIC, widgetTags, writeAssets } from "./widget";
import { addPages } from "./work";

export type { GivenOptions as PluginOptions, TruerefOptions, WidgetOptions } from "./options";

type WebpackOptions = ReturnType<NonNullable<Plugin["configureWebpack"]>>;

const NAME = "docusaurus-plugin-trueref";

/** Indexes the finished site and puts the widget on its pages. */
export default function truerefPlugin(context: LoadContext, options: TruerefOptions): Plugin | null {
  const { siteConfig, siteDir, generatedFilesDir } = context;
  if (siteConfig.future.experimental_router === "hash") {
    logger.warn("trueref: a site with the hash router has one page and no HTML to read. The plugin does nothing.");
    return null;
  }
  const place = placeOf(context);
  const server = options.serverUrl;
  if (!server) tellNoServer();
  if (siteConfig.noIndex) {
    logger.warn("trueref: noIndex is set for the whole site, so that no page is searched or cited.");
  }
  return {
    name: NAME,
    // Without a server too: `trueref serve --site` puts the widget on the pages.
    getClientModules: () => [join(__dirname, "client", "router.js")],
    injectHtmlTags: () => (server ? { postBodyTags: widgetTags(server, place, options) } : {}),
    configureWebpack: (_, isServer) => (isServer ? {} : widgetFiles(place.base)),
    async postBuild({ routes, routesBuildMetadata }) {
      await writeAssets(place.root);
      const exists = (file: string): boolean => existsSync(join(place.root, file));
      const pages = pagesOf({ place, routes, metadata: routesBuildMetadata, version: options.version, exists });
      const sidecar = relative(siteDir, join(generatedFilesDir, NAME, "pages.json"));
      const root = relative(siteDir, place.root);
      addPages({ siteDir, root, address: place.address, pages: sidecar, title: siteConfig.title, options }, pages);
    },
  };
}

/** Reads the options; Docusaurus calls it before the plugin. */
export function validateOptions({ options }: OptionValidationContext<GivenOptions, TruerefOptions>): TruerefOptions {
  return readOptions(options);
}

/** `docusaurus start` serves the widget's files from this package. Its server is an option of webpack. */
function widgetFiles(base: string): WebpackOptions {
  const devServer = { static: [{ directory: STATIC, publicPath: `${base}${ASSETS}`, watch: false }] };
  return { devServer } as WebpackOptions;
}

let hasTold = false;

function tellNoServer(): void {
  if (hasTold) return;
  hasTold = true;
  const isPreview = process.env["NODE_ENV"] === "development";
  logger.info(
    isPreview
      ? "trueref: no serverUrl is set: these pages have no widget. Build the site and run: trueref serve --site build"
      : "trueref: no serverUrl is set: the widget is shown by `trueref serve --site` only.",
  );
}
