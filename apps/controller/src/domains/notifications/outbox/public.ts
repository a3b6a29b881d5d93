export { type Letter, postLetters } from "./store.ts";
