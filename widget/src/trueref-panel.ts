export { mountPanel } from "./panel";
