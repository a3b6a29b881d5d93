/**
 * A link for templates (specification section 2.1) brings a visitor without an account. When it has
 * ended the login says so; the tab remembers how it was opened.
 */
import { browserStores, type Store } from "./token.ts";

const visitKey = "visit";

const place = (): Store => browserStores().session;

/** Keeps whether this tab shows a link for templates. */
export const markVisit = (isVisit: boolean): void => {
  if (isVisit) place().setItem(visitKey, "1");
  else place().removeItem(visitKey);
};

/** Whether it does, or did until the link ended. */
export const isVisitTab = (): boolean => place().getItem(visitKey) !== null;
