export { land } from "./landing";
