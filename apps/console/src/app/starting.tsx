import { startingParts } from "./frame.ts";

const show = (place: HTMLElement | null): void => place?.replaceChildren(startingParts());

/** While the code of what the address shows is on its way: what the page itself shows before its first script. */
export function Starting() {
  return <div ref={show} />;
}
