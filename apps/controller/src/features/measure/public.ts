export { readLinkPoints } from "./read.ts";
