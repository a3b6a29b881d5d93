export { renewHealth } from "./write.ts";
