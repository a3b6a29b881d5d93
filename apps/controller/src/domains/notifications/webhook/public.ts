export { fanOutEvents } from "./fan-out.ts";
