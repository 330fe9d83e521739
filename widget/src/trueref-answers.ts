export { Answers } from "./answers";
