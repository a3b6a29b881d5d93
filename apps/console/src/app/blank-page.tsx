/** /blank: an empty page inside of the console (section 2.4). */
export function BlankPage() {
  return null;
}
