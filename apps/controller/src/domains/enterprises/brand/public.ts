export { brandAt, brandOf } from "./store.ts";
