export { leaveMessages } from "./store.ts";
