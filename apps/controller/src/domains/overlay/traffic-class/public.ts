/** What compile uses of the classes of traffic. */
export { choosesByClass, readClasses } from "./store.ts";
