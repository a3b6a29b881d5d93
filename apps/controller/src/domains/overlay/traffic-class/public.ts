/** What other features use of the classes of traffic. */
export { choosesByClass, readClasses, type StoredClasses, toDraft } from "./store.ts";
