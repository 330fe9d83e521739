/** Where the pages of one locale stand: in the whole site on disk, and under the site's address. */
import { resolve } from "node:path";

/** What Docusaurus says of the locale that it builds. */
export interface LocaleContext {
  outDir: string;
  baseUrl: string;
  i18n: {
    defaultLocale: string;
    currentLocale: string;
    localeConfigs: Record<string, { baseUrl: string; url: string; htmlLang: string }>;
  };
}

/** A site: the folder and the address that all of its locales are under. */
export interface Place {
  /** The folder that is published. */
  root: string;
  /** Path of its root on the server, with a slash at both ends. */
  base: string;
  /** Address of its root, with a slash at the end. */
  address: string;
  /** Folder of this locale in it, such as `fr/`, or "". */
  folder: string;
  /** The locale, if its address is another one than that of the default locale; else "". */
  own: string;
  /** Language of the pages, as the `lang` of the page says it. */
  language: string;
}

/**
 * Where a locale stands. Locales are folders of the default locale's site (`build/`, `build/fr/`), one site with one
 * index; a locale with an address of its own, or one that is built alone, is a site of its own.
 */
export function placeOf({ outDir, baseUrl, i18n }: LocaleContext): Place {
  const { localeConfigs, defaultLocale, currentLocale } = i18n;
  const own = localeConfigs[currentLocale];
  const main = localeConfigs[defaultLocale] ?? own;
  const language = own?.htmlLang ?? currentLocale;
  const url = (own?.url ?? "").replace(/\/+$/, "");
  const isPart = main !== undefined && own?.url === main.url && baseUrl.startsWith(main.baseUrl);
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
