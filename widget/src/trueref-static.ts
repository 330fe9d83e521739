export { answerStatically } from "./static/static-answer";
