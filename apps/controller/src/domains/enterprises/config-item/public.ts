export { displayConfig } from "./display.ts";
