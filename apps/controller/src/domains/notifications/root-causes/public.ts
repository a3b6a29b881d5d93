/** Causes of trouble: of what is wrong now (the overview), and of open alarms (notifications/alarm). */
export { readFacts, readPaths } from "./facts.ts";
export {
  type Choice,
  type Extent,
  type Facts,
  type Found,
  findCauses,
  lostTogether,
  type Path,
  rootCauses,
  type Trouble,
} from "./root-causes.ts";
