import {
  getDocument,
  GlobalWorkerOptions,
  PDFWorker,
  type PDFDocumentProxy,
} from "pdfjs-dist/legacy/build/pdf.mjs";

const WORKER = new URL("./trueref-pdf-worker.js", import.meta.url);
/** How long a worker may take to end. */
const MAX_WAIT_MS = 500;
/** The pixels of one picture in a file: a hostile file may declare any number of them. */
const MAX_PICTURE_PIXELS = 2 ** 25;

/**
 * Opens a PDF. If the host gives parts of files, only the parts of the shown pages are read. Nothing in the file is
 * run: forms, scripts and WebAssembly are off, and its links and actions are never asked for.
 */
export async function openFile(url: string, signal: AbortSignal): Promise<PDFDocumentProxy> {
  GlobalWorkerOptions.workerSrc = WORKER.href;
  const apart = await mayStartWorker();
  // pdf.js uses the module of the worker in the page itself, if it is loaded there.
  if (!apart) await import(WORKER.href);
  signal.throwIfAborted();
  const worker = apart ? new PDFWorker({ verbosity: 0 }) : null;
  const task = getDocument({
    url,
    ...(worker && { worker }),
    enableXfa: false,
    useWasm: false,
    useWorkerFetch: false,
    disableWorkerRendering: true,
    disableAutoFetch: true,
    disableStream: true,
    maxImageSize: MAX_PICTURE_PIXELS,
    verbosity: 0,
  });
  signal.addEventListener("abort", () => {
    // pdf.js waits until the worker reports that it has cleaned up. A worker that a file keeps busy never reports it.
    const end = (): void => {
      worker?.destroy();
    };
    setTimeout(end, MAX_WAIT_MS);
    void task.destroy().then(end);
  });
  return task.promise;
}

/**
 * Whether the page may start a worker: its script has to come from the site itself, and Trusted Types forbid to name it
 * by an address. An attempt that is forbidden would be reported as a violation, so the policies of the page are read.
 */
async function mayStartWorker(): Promise<boolean> {
  if (WORKER.origin !== location.origin) return false;
  if (!("trustedTypes" in window)) return true;
  const inPage = Array.from(
    document.querySelectorAll<HTMLMetaElement>('meta[http-equiv="Content-Security-Policy" i]'),
    ({ content }) => content,
  );
  const sent = await fetch(location.href, { method: "HEAD" }).then(
    ({ headers }) => headers.get("Content-Security-Policy") ?? "",
    () => "",
  );
  return ![...inPage, sent].some((policy) => /require-trusted-types-for/i.test(policy));
}
