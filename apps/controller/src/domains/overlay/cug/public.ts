/** What delivery reads of closed user groups. */
export { type GroupsView, readGroups } from "./view.ts";
