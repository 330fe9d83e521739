import { resolveBase, resolveServer } from "../shared/address";
import type { Pill } from "./pill";

/** What the attributes of `<trueref-chat>` say, with every address already absolute. */
export interface Options {
  label: string;
  shortcut: string;
  words: string;
  server: string;
  /** The site root. If neither an attribute nor the script's address gives it, it is "" until `build.json` is read. */
  base: string;
  /** The folder of `build.json` and `questions.json`; "" if no build has written them. */
  files: string;
  /** Whether sources in PDFs open in the viewer, and not as plain links. */
  pdf: boolean;
  /** The session key of the conversation. */
  key: string;
}

/** Where a build puts the widget into its site, and where a server has it. */
const IN_SITE = /\/assets\/trueref\/$/;
const ON_SERVER = /\/widget\/$/;

/**
 * Reads the attributes. What they leave out follows from `folder`, the address of the widget's files: a build puts them
 * into `assets/trueref/` of its site, and a server has them in `widget/` under its prefix.
 */
export function readOptions(host: HTMLElement, { label, shortcut, baseURI }: Pill, folder: string): Options {
  const onServer = ON_SERVER.test(folder);
  const inSite = IN_SITE.test(folder) && new URL(folder).origin === new URL(baseURI).origin;
  const [givenServer, givenBase] = [host.getAttribute("server"), host.getAttribute("base")];
  const own = {
    server: onServer ? folder.replace(ON_SERVER, "") : "/_trueref",
    base: inSite ? `${folder}../../` : null,
  };
  const base = givenBase ?? own.base ?? (onServer ? null : "/");
  const options: Options = {
    label,
    shortcut,
    words: host.getAttribute("words") ?? "{}",
    server: resolveServer(givenServer ?? own.server, baseURI),
    base: base === null ? "" : resolveBase(base, baseURI),
    files: "",
    pdf: host.getAttribute("pdf") !== "link",
    key: "",
  };
  options.key = `trueref:${options.base || options.server}`;
  if (inSite || onServer) options.files = folder;
  else if (givenBase !== null) options.files = new URL("assets/trueref/", options.base).href;
  return options;
}
