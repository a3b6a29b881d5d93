export { carryBalance } from "./post.ts";
