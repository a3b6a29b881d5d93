/** What has a term: on the overview and on the page of an enterprise. */
export { listExpiring } from "./store.ts";
