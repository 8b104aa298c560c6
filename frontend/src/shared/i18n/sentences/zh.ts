import { sayer } from "./matcher";
import graphs from "./zh/graphs.json";
import imports from "./zh/imports.json";
import libraries from "./zh/libraries.json";
import runs from "./zh/runs.json";
import server from "./zh/server.json";
import steps from "./zh/steps.json";
import toolDocuments from "./zh/toolDocuments.json";
import toolRuns from "./zh/toolRuns.json";
import words from "./zh/words.json";

export default sayer(
  { ...toolDocuments, ...imports, ...toolRuns, ...graphs, ...steps, ...runs, ...server, ...libraries },
  words,
);
