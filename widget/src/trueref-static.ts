export { answerStatically } from "./static";
