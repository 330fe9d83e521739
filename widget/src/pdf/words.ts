import { pdf } from "../../trueref_widget/languages/en.json";
import type { Words } from "../shared/words";

/** The words of the viewer with those of the panel: English ones come with the viewer, and few readers open a PDF. */
export type PdfWords = Words & typeof pdf;

/** Adds the words of the viewer that the language of the page, or an override, has not given. */
export function pdfWords(words: Words): PdfWords {
  return { ...pdf, ...words };
}
