export { land } from "./landing/landing";
