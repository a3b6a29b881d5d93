/** What compile, delivery and history use of stored contents of sections. */
export {
  type NewContent,
  readNamed,
  readNamedOf,
  readParts,
  writeContents,
  writeSpaces,
} from "./contents.ts";
