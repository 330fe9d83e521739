import assert from "node:assert/strict";
import { test } from "node:test";
import { localeOf, type LocaleContext } from "../src/locale";
import { pagesOf, sidecarOf, type LocaleBuild, type Route } from "../src/pages";

const ROUTES: Route[] = [
  { path: "/manual/", metadata: { sourceFilePath: "src\\pages\\index.js" } },
  {
    path: "/manual/docs/",
    routes: [
      {
        path: "/manual/docs/1.0/",
        props: { version: { version: "1.0", label: "First" } },
        routes: [
          {
            path: "/manual/docs/1.0/",
            routes: [
              {
                path: "/manual/docs/1.0/",
                metadata: { sourceFilePath: "versioned_docs/version-1.0/intro.mdx" },
              },
              {
                path: "/manual/docs/1.0/th%C3%A9",
                metadata: { sourceFilePath: "versioned_docs/version-1.0/t.md" },
              },
            ],
          },
          { path: "/manual/docs/1.0/tags" },
        ],
      },
    ],
  },
  { path: "/manual/404.html" },
  { path: "/manual/secret" },
  { path: "/manual/not-written" },
  { path: "/elsewhere" },
  { path: "*" },
];

function context(locale: string, over: Partial<LocaleContext> = {}): LocaleContext {
  const url = "https://kettle.example";
  return {
    outDir: locale === "en" ? "/site/build" : `/site/build/${locale}`,
    baseUrl: locale === "en" ? "/manual/" : `/manual/${locale}/`,
    i18n: {
      defaultLocale: "en",
      currentLocale: locale,
      localeConfigs: {
        en: { baseUrl: "/manual/", url, htmlLang: "en-GB" },
        fr: { baseUrl: "/manual/fr/", url, htmlLang: "fr" },
      },
    },
    ...over,
  };
}

function build(files: string[], over: Partial<LocaleBuild> = {}): LocaleBuild {
  const exists = (file: string): boolean => files.includes(file);
  const locale = localeOf(context("en"));
  return { locale, routes: ROUTES, metadata: {}, version: null, exists, ...over };
}

const FILES = {
  folders: [
    "index.html",
    "docs/1.0/index.html",
    "docs/1.0/thé/index.html",
    "docs/1.0/tags/index.html",
    "404.html",
  ],
  flat: ["index.html", "docs/1.0.html", "docs/1.0/thé.html", "docs/1.0/tags.html", "404.html"],
};

for (const [name, files] of Object.entries(FILES)) {
  test(`every route with a file is a page: ${name}`, () => {
    assert.deepEqual(
      pagesOf(build(files)).map((page) => page.file),
      files,
    );
  });
}

test("a page has its source, its language and the version of its docs", () => {
  const [root, intro, tea, tags] = pagesOf(build(FILES.flat));
  assert.deepEqual(root, { file: "index.html", source: "src/pages/index.js", language: "en-GB" });
  assert.deepEqual(intro, {
    file: "docs/1.0.html",
    source: "versioned_docs/version-1.0/intro.mdx",
    language: "en-GB",
    version: "1.0",
  });
  assert.deepEqual([tea?.version, tags?.version, tags?.source], ["1.0", "1.0", undefined]);
});

test("one version for the site goes before that of the docs, and is left to the option", () => {
  assert.deepEqual(
    pagesOf(build(FILES.flat, { version: "3" })).filter((page) => page.version),
    [],
  );
});

/** Docs with some versions, each with one page. */
function docs(pluginId: string, ...versions: string[]): Route[] {
  return versions.map((version) => ({
    path: `/manual/${pluginId}/${version}`,
    props: { version: { pluginId, version } },
    routes: [{ path: `/manual/${pluginId}/${version}` }],
  }));
}

test("docs without versions have none, whatever the other docs of the site have", () => {
  const routes = [
    ...docs("default", "current", "2.0"),
    ...docs("community", "current"),
    ...docs("api", "1.4"),
  ];
  const exists = (file: string): boolean => file.endsWith(".html") && !file.endsWith("index.html");
  assert.deepEqual(
    pagesOf(build([], { routes, exists })).map(({ file, version }) => [file, version]),
    [
      ["default/current.html", "current"],
      ["default/2.0.html", "2.0"],
      ["community/current.html", undefined],
      ["api/1.4.html", "1.4"],
    ],
  );
});

test("the archive of a blog is hidden, as its other lists are", () => {
  const routes: Route[] = [{ path: "/manual/blog/archive", props: { archive: { blogPosts: [] } } }];
  assert.deepEqual(pagesOf(build(["blog/archive.html"], { routes })), [
    { file: "blog/archive.html", hidden: true, language: "en-GB" },
  ]);
});

test("what search engines are to leave out is hidden", () => {
  const files = ["secret.html", "index.html"];
  const metadata = { "/manual/secret": { noIndex: true }, "/manual/": { noIndex: false } };
  assert.deepEqual(
    pagesOf(build(files, { metadata })).map((page) => [page.file, page.hidden]),
    [
      ["index.html", undefined],
      ["secret.html", true],
    ],
  );
});

test("a sidecar is the same in whatever order the pages came", () => {
  const pages = pagesOf(build(FILES.flat));
  assert.equal(sidecarOf(pages), sidecarOf([...pages].reverse()));
  assert.equal((JSON.parse(sidecarOf(pages)) as { sidecar: number }).sidecar, 1);
});

test("locales are folders of one site", () => {
  const site = { root: "/site/build", base: "/manual/", address: "https://kettle.example/manual/", own: "" };
  assert.deepEqual(localeOf(context("en")), { ...site, folder: "", language: "en-GB" });
  assert.deepEqual(localeOf(context("fr")), { ...site, folder: "fr/", language: "fr" });
});

test("a locale that is built alone stands at the root", () => {
  const alone = context("fr", { outDir: "/site/build", baseUrl: "/manual/" });
  const { fr } = alone.i18n.localeConfigs;
  if (fr) fr.baseUrl = "/manual/";
  assert.deepEqual(localeOf(alone), { ...localeOf(context("en")), language: "fr" });
});

for (const [name, change, baseUrl] of [
  ["host", { url: "https://fr.kettle.example" }, "/manual/fr/"],
  ["path", { baseUrl: "/manuel/" }, "/manuel/"],
] as const) {
  test(`a locale with a ${name} of its own is a site of its own`, () => {
    const own = context("fr", { baseUrl });
    Object.assign(own.i18n.localeConfigs["fr"] ?? {}, change);
    assert.equal(localeOf(own).root, "/site/build/fr");
    assert.deepEqual([localeOf(own).folder, localeOf(own).own], ["", "fr"]);
  });
}
