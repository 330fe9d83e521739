/** The locale that is built: the folder of its pages in the whole site, and their address. */
import { resolve } from "node:path";

/** What Docusaurus passes of the locale that it builds. */
export interface LocaleContext {
  outDir: string;
  baseUrl: string;
  i18n: {
    defaultLocale: string;
    currentLocale: string;
    localeConfigs: Record<string, { baseUrl: string; url: string; htmlLang: string }>;
  };
}

/** A locale, with the folder and the address of the site that it is a part of. */
export interface Locale {
  /** The folder of the site that is published. */
  root: string;
  /** Path of the site's root on its host, with a slash at both ends. */
  base: string;
  /** Address of the site's root, with a slash at the end. */
  address: string;
  /** Folder of this locale in the site, such as `fr/`, or "". */
  folder: string;
  /** Name of the locale if it is a site of its own, apart from that of the default locale; else "". */
  own: string;
  /** Language of the pages, as the `lang` of the page says it. */
  language: string;
}

/**
 * The locale that is built. Locales are folders of the default locale's site (`build/`, `build/fr/`), one site with one
 * index; a locale with an address of its own, or one that is built alone, is a site of its own.
 */
export function localeOf({ outDir, baseUrl, i18n }: LocaleContext): Locale {
  const { localeConfigs, defaultLocale, currentLocale } = i18n;
  const current = localeConfigs[currentLocale];
  const main = localeConfigs[defaultLocale] ?? current;
  const language = current?.htmlLang ?? currentLocale;
  const url = (current?.url ?? "").replace(/\/+$/, "");
  const isPart = main !== undefined && current?.url === main.url && baseUrl.startsWith(main.baseUrl);
  const base = isPart ? main.baseUrl : baseUrl;
  const address = `${url}${base}`;
  const isMain = main === undefined || address === `${main.url.replace(/\/+$/, "")}${main.baseUrl}`;
  const folder = baseUrl.slice(base.length);
  const above = folder
    .split("/")
    .filter(Boolean)
    .map(() => "..");
  const root = resolve(outDir, ...above);
  return { root, base, address, folder, own: isMain ? "" : currentLocale, language };
}
