export { PdfViewer } from "./pdf";
