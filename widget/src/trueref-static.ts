/*! With MiniSearch 7.2.0, copyright 2022 Luca Ongaro, MIT licence */
export { answerStatically } from "./static/static-answer";
