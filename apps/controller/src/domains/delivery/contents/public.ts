/** What compile, delivery and history use of stored contents of sections. */
export {
  readContents,
  readNamed,
  type SharedContent,
  writeContents,
  writeShared,
} from "./contents.ts";
