export { mountPanel } from "./panel/panel";
