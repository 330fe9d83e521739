export { Answers } from "./answers/answers";
