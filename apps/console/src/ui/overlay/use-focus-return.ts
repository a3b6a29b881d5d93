import { useEffect } from "react";
import { enterOverlay, leavingClass } from "./focus-trail.ts";

/**
 * Gives the focus back when an overlay closes, immediately and also when it is taken away while open.
 * The library's own return of the focus must be off.
 * @returns the class for the overlay's root element
 */
export const useFocusReturn = (isOpen: boolean): string => {
  // The end of an effect comes after that of those below it: the library's lock is open by then.
  useEffect(() => (isOpen ? enterOverlay() : undefined), [isOpen]);
  return isOpen ? "" : leavingClass;
};
