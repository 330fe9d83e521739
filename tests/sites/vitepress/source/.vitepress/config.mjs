export default {
  title: "Hive Notes",
  description: "The diary of a beekeeper",
  cleanUrls: true,
  lastUpdated: false,
  locales: {
    root: { label: "English", lang: "en-US" },
    fr: { label: "Français", lang: "fr-FR" },
  },
  markdown: { lineNumbers: true },
  themeConfig: {
    nav: [{ text: "Guide", link: "/install" }],
    sidebar: {
      "/": [{ text: "Guide", items: ["install", "visits", "settings", "extras"].map(name => ({ text: name, link: `/${name}` })) }],
    },
    editLink: { pattern: "https://git.example.org/hive/notes/edit/main/docs/:path" },
    footer: { message: "Copyright of the beekeepers" },
  },
};
