import {
  AnnotationMode,
  TextLayer,
  type PDFPageProxy,
  type PageViewport,
} from "pdfjs-dist/legacy/build/pdf.mjs";
import { h } from "../shared/dom";

/** Pixels of a drawn page; a larger one is drawn coarser. */
const MAX_PIXELS = 2 ** 24;

/** A page as it is drawn: its picture, and over it its text, which can be selected and searched. */
export interface Sheet {
  element: HTMLElement;
  /** The pieces of the text in their order. */
  spans: HTMLElement[];
}

/** Draws a page so many pixels wide. Links, forms and notes are not drawn: a PDF could act through them. */
export async function drawPage(page: PDFPageProxy, width: number, signal: AbortSignal): Promise<Sheet> {
  const viewport = page.getViewport({ scale: width / page.getViewport({ scale: 1 }).width });
  const [canvas, text] = await Promise.all([
    drawPicture(page, viewport, signal),
    drawText(page, viewport, signal),
  ]);
  const element = h("div", "pdf-sheet", canvas, text.element);
  element.style.width = canvas.style.width;
  element.style.height = canvas.style.height;
  return { element, spans: text.spans };
}

async function drawPicture(
  page: PDFPageProxy,
  viewport: PageViewport,
  signal: AbortSignal,
): Promise<HTMLCanvasElement> {
  const { width, height } = viewport;
  const ratio = Math.min(devicePixelRatio, Math.sqrt(MAX_PIXELS / (width * height)));
  const canvas = h("canvas");
  canvas.width = Math.max(1, Math.floor(width * ratio));
  canvas.height = Math.max(1, Math.floor(height * ratio));
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  // A screen reader reads the text layer instead.
  canvas.ariaHidden = "true";
  const task = page.render({
    canvas,
    viewport,
    transform: [ratio, 0, 0, ratio, 0, 0],
    annotationMode: AnnotationMode.DISABLE,
  });
  signal.addEventListener("abort", () => {
    task.cancel();
  });
  await task.promise;
  return canvas;
}

async function drawText(page: PDFPageProxy, viewport: PageViewport, signal: AbortSignal): Promise<Sheet> {
  const element = h("div", "pdf-text");
  element.style.setProperty("--total-scale-factor", String(viewport.scale));
  const layer = new TextLayer({ textContentSource: page.streamTextContent(), container: element, viewport });
  signal.addEventListener("abort", () => {
    layer.cancel();
  });
  await layer.render();
  return { element, spans: layer.textDivs };
}
