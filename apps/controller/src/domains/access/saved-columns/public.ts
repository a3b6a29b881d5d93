export { savedColumns } from "./store.ts";
