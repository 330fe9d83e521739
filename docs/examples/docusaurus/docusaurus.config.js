// The docs of a kettle, with what a Docusaurus site usually has: versions, locales, redirects, a blog, React pages.

/** @type {import("@docusaurus/types").Config} */
export default {
  title: "Kettle",
  url: "https://kettle.example",
  baseUrl: "/manual/",
  onBrokenLinks: "throw",
  onBrokenAnchors: "throw",
  i18n: { defaultLocale: "en", locales: ["en", "fr"] },
  presets: [
    [
      "classic",
      {
        docs: {
          sidebarPath: "./sidebars.js",
          lastVersion: "current",
          versions: { current: { label: "2.0" } },
        },
        blog: { onUntruncatedBlogPosts: "ignore" },
        theme: { customCss: "./src/css/custom.css" },
      },
    ],
  ],
  plugins: [
    [
      "@docusaurus/plugin-client-redirects",
      {
        redirects: [
          { from: "/start", to: "/docs/" },
          { from: ["/docs/descale", "/docs/guides/limescale"], to: "/docs/guides/cleaning" },
        ],
        createRedirects: (path) =>
          path.startsWith("/docs/guides/") ? [path.replace("/docs/guides/", "/docs/howto/")] : undefined,
      },
    ],
    ["docusaurus-plugin-trueref", { serverUrl: "/_trueref", embedder: "lexical" }],
  ],
  themeConfig: {
    navbar: {
      title: "Kettle",
      items: [
        { type: "docSidebar", sidebarId: "manual", label: "Manual" },
        { to: "/blog", label: "News" },
        { type: "docsVersionDropdown", position: "right" },
        { type: "localeDropdown", position: "right" },
      ],
    },
  },
};
