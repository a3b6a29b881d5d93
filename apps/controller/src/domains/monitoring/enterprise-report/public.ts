export { linePoints } from "./rules.ts";
