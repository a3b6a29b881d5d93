/** Whatever goes wrong in a lab. The message names the node, the command and its output. */
export class LabError extends Error {
  override name = "LabError";
}
