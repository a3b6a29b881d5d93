export { mountRowsExport } from "./rows-file.ts";
